package dev.weir.group.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupRequestTest {
  /** As members of 0.1 write it, to logs too: id "id", no key, the text "hi". */
  private static final byte[] VERSION_1 = {1, 0, 0, 0, 2, 'i', 'd', -1, -1, -1, -1, 2, 'h', 'i'};

  private static Buffer plain() {
    return GroupRequest.encode("id", null, "hi");
  }

  @Test
  void aRequestWithoutATraceIsWrittenAndReadAsBefore() {
    assertThat(plain().getBytes()).isEqualTo(VERSION_1);
    assertThat(GroupRequest.withTrace(plain(), Map.of()).getBytes()).isEqualTo(VERSION_1);
    GroupRequest request = GroupRequest.decode(Buffer.buffer(VERSION_1));
    assertThat(request.id()).isEqualTo("id");
    assertThat(request.key()).isNull();
    assertThat(request.trace()).isEmpty();
    assertThat(request.body()).isEqualTo("hi");
  }

  @Test
  void aTraceComesWithTheRequestAndIsNoPartOfItsContent() {
    Map<String, String> trace = new LinkedHashMap<>();
    trace.put("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    trace.put("baggage", "city=Z\u00fcrich");
    trace.put("tracestate", "");
    Buffer traced = GroupRequest.withTrace(plain(), trace);
    assertThat(traced.getByte(0)).isEqualTo(GroupRequest.TRACED);
    GroupRequest request = GroupRequest.decode(traced);
    assertThat(request.trace()).containsExactlyEntriesOf(trace);
    assertThat(request.id()).isEqualTo("id");
    assertThat(request.key()).isNull();
    assertThat(request.body()).isEqualTo("hi");
    assertThat(request.content()).isEqualTo(GroupRequest.decode(plain()).content());
  }

  @Test
  void aRequestThatIsCutOffIsRefusedWhereverItEnds() {
    Buffer traced = GroupRequest.withTrace(plain(), Map.of("traceparent", "00-1-2-01"));
    int textAt = traced.length() - "hi".length();
    for (int length = 0; length < textAt; length++) {
      Buffer cut = traced.getBuffer(0, length);
      assertThatThrownBy(() -> GroupRequest.decode(cut))
          .as("%s bytes", length)
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void anUnknownVersionIsRefusedByNumber() {
    assertThatThrownBy(() -> GroupRequest.decode(Buffer.buffer(new byte[] {9, 0, 0})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a request has version 9, known is 1 to 2");
  }
}
