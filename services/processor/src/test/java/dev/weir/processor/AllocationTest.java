package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final int CARS = 100_000;

  @Test
  void theDirectEncodingAllocatesNothingPerMessage() {
    CarRequests requests = new CarRequests(Encoding.SBE_DIRECT, false);
    CarProcessor processor = new CarProcessor(Encoding.SBE_DIRECT);
    Exchange exchange = Exchange.direct();
    exchange(1, requests, processor, exchange);

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    exchange(CARS + 1, requests, processor, exchange);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(processor.handled()).isEqualTo(2 * CARS);
    assertThat(processor.refused()).isZero();
    // What the JVM itself leaves on a thread while it compiles is far below a byte per message.
    assertThat(allocated).as("bytes for %d messages", CARS).isLessThan(CARS / 2);
  }

  private static void exchange(
      long first, CarRequests requests, CarProcessor processor, Exchange exchange) {
    int wrong = 0;
    for (long n = first; n < first + CARS; n++) {
      processor.onMessage(exchange.request(requests, n), exchange.out());
      wrong += exchange.isReply(requests, n) ? 0 : 1;
    }
    assertThat(wrong).isZero();
  }
}
