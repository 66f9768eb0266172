package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CarProcessorTest {
  private static final CarRequests REQUESTS = new CarRequests(Encoding.SBE_DIRECT, false);

  private final Exchange exchange = Exchange.direct();

  private void send(CarProcessor processor, long from, long to) {
    for (long n = from; n <= to; n++) {
      processor.onMessage(exchange.request(REQUESTS, n), exchange.out());
      assertThat(exchange.isReply(REQUESTS, n)).isTrue();
    }
  }

  private static byte[] saved(CarProcessor processor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    processor.save(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @EnumSource
  void repliesWithHowManyCarsItHasHandled(Encoding encoding) {
    CarRequests requests = new CarRequests(encoding, false);
    CarProcessor processor = new CarProcessor(encoding);
    for (long n = 1; n <= 10; n++) {
      processor.onMessage(exchange.request(requests, n), exchange.out());
      assertThat(exchange.isReply(requests, n)).isTrue();
    }
    assertThat(processor.handled()).isEqualTo(10);
    assertThat(processor.lastSerialNumber()).isEqualTo(10);
  }

  @Test
  void twoThatHandledTheSameCarsHaveTheSameState() throws IOException {
    CarProcessor one = new CarProcessor(Encoding.SBE_DIRECT);
    CarProcessor other = new CarProcessor(Encoding.SBE_DIRECT);
    send(one, 1, 100);
    send(other, 1, 100);

    assertThat(saved(one)).isEqualTo(saved(other));
  }

  @Test
  void theChecksumTellsTheOrder() {
    CarProcessor one = new CarProcessor(Encoding.SBE_DIRECT);
    CarProcessor other = new CarProcessor(Encoding.SBE_DIRECT);
    for (long n : new long[] {1, 2}) {
      one.onMessage(exchange.request(REQUESTS, n), exchange.out());
      other.onMessage(exchange.request(REQUESTS, 3 - n), exchange.out());
    }

    assertThat(one.checksum()).isNotEqualTo(other.checksum());
  }

  @Test
  void goesOnFromARestoredState() throws IOException {
    CarProcessor first = new CarProcessor(Encoding.SBE_DIRECT);
    send(first, 1, 50);
    CarProcessor second = new CarProcessor(Encoding.SBE_DIRECT);
    second.restore(new DataInputStream(new ByteArrayInputStream(saved(first))));
    send(second, 51, 60);
    send(first, 51, 60);

    assertThat(saved(second)).isEqualTo(saved(first));
    second.restore(null);
    assertThat(saved(second)).isEqualTo(saved(new CarProcessor(Encoding.SBE_DIRECT)));
  }

  @Test
  void countsWhatIsNoCarAndRepliesNothing() {
    CarProcessor processor = new CarProcessor(Encoding.SBE_DIRECT);
    processor.onMessage(exchange.request(REQUESTS, 1).request(9), exchange.out());

    assertThat(exchange.replyBytes()).isZero();
    assertThat(processor.refused()).isEqualTo(1);
    assertThat(processor.handled()).isZero();
  }
}
