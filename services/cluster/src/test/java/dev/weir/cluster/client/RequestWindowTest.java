package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestWindowTest {
  private static final int SIZE = 3;
  private static final long FIRST = 10;

  private final RequestWindow window = new RequestWindow(SIZE, FIRST);

  private Promise<Buffer> add() {
    Promise<Buffer> reply = Promise.promise();
    window.add(Buffer.buffer(), reply);
    return reply;
  }

  private List<Long> write() {
    List<Long> written = new ArrayList<>();
    for (var next = window.nextToWrite(); next != null; next = window.nextToWrite()) {
      written.add(next.sequence());
    }
    return written;
  }

  @Test
  void requestsAreWrittenOnceInOrder() {
    add();
    add();
    assertThat(write()).containsExactly(FIRST, FIRST + 1);
    assertThat(write()).isEmpty();
    add();
    assertThat(window.isFull()).isTrue();
    assertThat(write()).containsExactly(FIRST + 2);
    assertThat(window.resent()).isZero();
  }

  @Test
  void noRequestIsWrittenAWholeWindowAheadOfTheOldest() {
    for (int i = 0; i < SIZE; i++) {
      add();
    }
    write();
    assertThat(window.remove(FIRST + 1).sequence()).isEqualTo(FIRST + 1);
    add();
    assertThat(write()).as("while the oldest has no reply").isEmpty();
    window.remove(FIRST);
    assertThat(write()).containsExactly(FIRST + 3);
  }

  @Test
  void afterARewindAllRequestsWithoutAReplyAreWrittenAgain() {
    for (int i = 0; i < SIZE; i++) {
      add();
    }
    write();
    window.remove(FIRST);
    window.rewind();
    assertThat(write()).containsExactly(FIRST + 1, FIRST + 2);
    assertThat(window.resent()).isEqualTo(2);
  }

  @Test
  void aSecondReplyFindsNoRequest() {
    add();
    write();
    assertThat(window.isOldest(FIRST)).isTrue();
    assertThat(window.remove(FIRST)).isNotNull();
    assertThat(window.remove(FIRST)).isNull();
    assertThat(window.isEmpty()).isTrue();
  }

  @Test
  void allRequestsFailWhenTheClientIsClosed() {
    Promise<Buffer> reply = add();
    window.failAll("closed");
    assertThat(reply.future().cause()).hasMessage("closed");
    assertThat(window.isEmpty()).isTrue();
    assertThat(write()).isEmpty();
  }
}
