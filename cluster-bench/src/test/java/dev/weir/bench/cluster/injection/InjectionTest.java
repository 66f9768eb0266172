package dev.weir.bench.cluster.injection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.weir.bench.cluster.Kind;
import dev.weir.bench.load.Clock;
import dev.weir.bench.load.RoundResult;
import dev.weir.processor.Encoding;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class InjectionTest {
  private static final long INTERVAL_NS = 100_000;
  private static final double RATE = 10_000;
  private static final Messages MESSAGES = new EchoMessages(32);

  private final ManualClock clock = new ManualClock();
  private final MessageLatencies latencies = new MessageLatencies(100);
  private final Echo echo = new Echo();

  private Injection begun(InjectionPlan plan) {
    Injection injection =
        new Injection(plan, MESSAGES, latencies, clock, TimeUnit.SECONDS.toNanos(1));
    injection.begin();
    return injection;
  }

  private long maxNs() {
    return latencies.recording().histogram().getMaxValue();
  }

  @Test
  void sendsAtTheIntendedTimes() {
    Injection injection = begun(InjectionPlan.paced(1, 3, RATE));

    injection.doWork(echo);
    assertThat(echo.offered()).isEqualTo(1);
    clock.advance(INTERVAL_NS - 1);
    injection.doWork(echo);
    assertThat(echo.offered()).isEqualTo(1);
    clock.advance(1);
    injection.doWork(echo);
    assertThat(echo.offered()).isEqualTo(2);
  }

  @Test
  void sendsAtOnceWhatIsLateAndChargesEachMessageFromItsOwnTime() {
    Injection injection = begun(InjectionPlan.paced(1, 3, RATE));
    clock.advance(2 * INTERVAL_NS);

    injection.doWork(echo.reply(3));

    assertThat(injection.isDone()).isTrue();
    assertThat(injection.late()).isEqualTo(1);
    assertThat(latencies.recording().histogram().getTotalCount()).isEqualTo(3);
    assertThat(maxNs()).isBetween(2 * INTERVAL_NS, 2 * INTERVAL_NS + INTERVAL_NS / 500);
    assertThat(injection.result().pace().maxLagNs()).isEqualTo(2 * INTERVAL_NS);
  }

  @Test
  void chargesTheTimeThatTheProcessorTakesNothing() {
    Injection injection = begun(InjectionPlan.paced(1, 2, RATE));
    echo.capacity(1);
    clock.advance(INTERVAL_NS);
    injection.doWork(echo);
    assertThat(echo.offered()).isEqualTo(1);
    clock.advance(3 * INTERVAL_NS);

    injection.doWork(echo.reply(1));
    injection.doWork(echo.reply(1));

    assertThat(injection.isDone()).isTrue();
    assertThat(maxNs()).isGreaterThanOrEqualTo(3 * INTERVAL_NS);
    assertThat(injection.result().tally().verdict().isOk()).isTrue();
  }

  @Test
  void neverHasMoreOnTheirWayThanTheWindow() {
    Injection injection = begun(InjectionPlan.saturated(1, 100, 4));

    injection.doWork(echo);
    assertThat(echo.open()).isEqualTo(4);
    injection.doWork(echo.reply(3));
    assertThat(echo.open()).isEqualTo(1);
    injection.doWork(echo);
    assertThat(echo.open()).isEqualTo(4);
  }

  @Test
  void measuresFromTheSendingWithoutARate() {
    Injection injection = begun(InjectionPlan.saturated(1, 2, 1));
    clock.advance(5 * INTERVAL_NS);
    injection.doWork(echo);
    clock.advance(INTERVAL_NS);

    injection.doWork(echo.reply(1));

    assertThat(maxNs()).isBetween(INTERVAL_NS, INTERVAL_NS + INTERVAL_NS / 500);
  }

  @Test
  void seesWhatWasLost() {
    Injection injection = begun(InjectionPlan.saturated(1, 4, 4));
    injection.doWork(echo);
    echo.lose();
    injection.doWork(echo.reply(4));

    assertThat(injection.isDone()).isFalse();
    assertThat(injection.result().verdict().toString()).contains("lost 1");
  }

  @Test
  void seesWhatWasAnsweredTwice() {
    Injection injection = begun(InjectionPlan.saturated(1, 4, 4));
    injection.doWork(echo);
    echo.duplicate();
    injection.doWork(echo.reply(5));

    assertThat(injection.result().verdict().toString()).contains("duplicates 1");
  }

  @Test
  void seesAReplyThatIsNotRight() {
    Injection injection = begun(InjectionPlan.saturated(1, 4, 4));
    injection.doWork(echo);
    echo.corrupt();
    injection.doWork(echo.reply(4));

    assertThat(injection.result().verdict().toString()).contains("corrupt 1");
    assertThat(latencies.recording().histogram().getTotalCount()).isEqualTo(3);
  }

  @Test
  void seesAReplyToWhatWasNotSent() {
    Injection injection = begun(InjectionPlan.saturated(1, 4, 4));
    echo.offer(9, ByteBuffer.allocate(32), 0, 32);
    injection.doWork(echo.reply(5));

    assertThat(injection.result().verdict().toString()).contains("corrupt 1");
  }

  @Test
  @Timeout(30)
  void endsWhenNothingComesAnyMore() {
    Injection injection =
        new Injection(
            InjectionPlan.saturated(1, 4, 4),
            MESSAGES,
            latencies,
            Clock.system(),
            TimeUnit.MILLISECONDS.toNanos(50));

    RoundResult result = injection.run(echo.reply(3));

    assertThat(result.verdict().toString()).contains("lost 1");
  }

  @Test
  void isDoneWhenAllRepliesHaveCome() {
    Injection injection = begun(InjectionPlan.saturated(1, 4, 4));
    injection.doWork(echo.reply(3));
    assertThat(injection.isDone()).isFalse();

    injection.doWork(echo.reply(1));

    assertThat(injection.isDone()).isTrue();
    assertThat(injection.result().verdict().isOk()).isTrue();
  }

  @Test
  void goesOnWithTheNumbersOfTheNextPlan() {
    InjectionPlan plan = InjectionPlan.saturated(1, 4, 4).next(8);

    Injection injection = begun(plan);
    injection.doWork(echo);
    injection.doWork(echo.reply(4));

    assertThat(plan.first()).isEqualTo(5);
    assertThat(injection.result().tally().received()).isEqualTo(4);
    assertThat(injection.result().tally().corrupt()).isZero();
  }

  @Test
  void refusesAPlanThatMakesNoSense() {
    assertThatThrownBy(() -> InjectionPlan.paced(1, 1, 0)).hasMessageContaining("ratePerSec");
    assertThatThrownBy(() -> InjectionPlan.saturated(0, 1, 1)).hasMessageContaining("first");
    assertThatThrownBy(() -> InjectionPlan.saturated(1, 1, 3)).hasMessageContaining("power of two");
  }

  @Test
  void allocatesNothingPerMessage() {
    Messages messages = new CarMessages(Encoding.SBE_DIRECT, false, Kind.ES.odometer());
    Loopback loopback = new Loopback(Kind.ES, Encoding.SBE_DIRECT);
    InjectionPlan plan = InjectionPlan.saturated(1, 100_000, 64);
    MessageLatencies recorded = new MessageLatencies(0);
    new Injection(plan, messages, recorded).run(loopback);
    Injection injection = new Injection(plan.next(), messages, recorded);

    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    RoundResult result = injection.run(loopback);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(result.verdict().isOk()).isTrue();
    assertThat(allocated).isLessThan(plan.count() / 2);
  }
}
