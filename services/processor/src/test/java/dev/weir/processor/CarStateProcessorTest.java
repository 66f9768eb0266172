package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.State;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CarStateProcessorTest {
  private static final int OBJECTS = 7;

  private final Exchange exchange = Exchange.direct();
  private final Objects objects = new Objects();

  /** Objects in memory. */
  private static final class Objects implements State {
    private final Map<Long, byte[]> values = new HashMap<>();

    @Override
    public ByteBuffer get(long id) {
      byte[] value = values.get(id);
      return value == null ? null : ByteBuffer.wrap(value).asReadOnlyBuffer();
    }

    @Override
    public void put(long id, ByteBuffer value) {
      byte[] copy = new byte[value.remaining()];
      value.get(value.position(), copy);
      values.put(id, copy);
    }

    @Override
    public void remove(long id) {
      values.remove(id);
    }

    @Override
    public int size() {
      return values.size();
    }
  }

  @ParameterizedTest
  @EnumSource
  void repliesWithHowManyCarsTheObjectHasSeen(Encoding encoding) {
    CarRequests requests = new CarRequests(encoding, false);
    CarStateProcessor processor = new CarStateProcessor(encoding, OBJECTS);
    for (long n = 1; n <= 5 * OBJECTS + 3; n++) {
      processor.onMessage(exchange.request(requests, n), objects, exchange.out());

      long seen = CarStateProcessor.odometer(n, OBJECTS);
      assertThat(exchange.isReply(requests, seen)).as("reply to %d: %d", n, seen).isTrue();
    }
    assertThat(objects.size()).isEqualTo(OBJECTS);
  }

  @Test
  void keepsNothingBesideItsObjects() {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    for (long n = 1; n <= 3 * OBJECTS; n++) {
      new CarStateProcessor(Encoding.SBE_DIRECT, OBJECTS)
          .onMessage(exchange.request(requests, n), objects, exchange.out());

      assertThat(exchange.isReply(requests, CarStateProcessor.odometer(n, OBJECTS))).isTrue();
    }
  }

  @Test
  void whatIsNoCarChangesNothing() {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    new CarStateProcessor(Encoding.SBE_DIRECT, OBJECTS)
        .onMessage(exchange.request(requests, 1).request(9), objects, exchange.out());

    assertThat(exchange.replyBytes()).isZero();
    assertThat(objects.size()).isZero();
  }

  @Test
  void refusesToHaveNoObjects() {
    assertThatThrownBy(() -> new CarStateProcessor(Encoding.SBE_DIRECT, 0))
        .hasMessageContaining("objects is 0, allowed is at least 1");
  }
}
