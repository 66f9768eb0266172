package dev.weir.bench.cluster.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.cluster.failover.FailoverRun.OldPrimaryProbe;
import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.ClientEndpoint;
import dev.weir.cluster.EventSourcedProcessor;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.processor.CarProcessor;
import dev.weir.processor.Encoding;
import io.vertx.core.Vertx;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The driver and the probe of the old primary notice what they are there for. */
class CarDriverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int RATE_PER_SEC = 2000;

  private final Vertx vertx = Vertx.vertx();
  private final ClientEndpoint endpoint = new ClientEndpoint(vertx);
  private final Forgetful processor = new Forgetful();
  private ProcessorGroup group;
  private MemberAddress address;

  /** Forgets once all that it has handled before. */
  private static final class Forgetful implements EventSourcedProcessor {
    private volatile long forgetAt = Long.MAX_VALUE;
    private CarProcessor cars = new CarProcessor(Encoding.SBE_DIRECT);

    @Override
    public void onMessage(Inbound message, Outbound out) {
      if (cars.handled() == forgetAt) {
        cars = new CarProcessor(Encoding.SBE_DIRECT);
        forgetAt = Long.MAX_VALUE;
      }
      cars.onMessage(message, out);
    }

    @Override
    public void save(DataOutput out) throws IOException {
      cars.save(out);
    }

    @Override
    public void restore(DataInput in) throws IOException {
      cars.restore(in);
    }
  }

  @BeforeEach
  void startGroup() throws Exception {
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a"))
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED);
    group =
        GroupBuilder.alone(options, null)
            .processor(processor)
            .replies(endpoint.replies(options.getName()))
            .start();
    endpoint.serve(group);
    address = new MemberAddress("a", "127.0.0.1", 1, 1, endpoint.listen("127.0.0.1", 0).await());
  }

  @AfterEach
  void stopGroup() {
    endpoint.close().await();
    group.close();
    vertx.close().await();
  }

  private CarDriver.Counts drive(long cars) throws Exception {
    try (CarDriver driver = new CarDriver(vertx, List.of(address), RATE_PER_SEC)) {
      await(() -> driver.answered() >= cars, () -> cars + " answers: " + driver.counts());
      driver.finish(PATIENCE);
      return driver.counts();
    }
  }

  private static void await(BooleanSupplier condition, Supplier<String> what) throws Exception {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNs).as("waited for %s", what.get()).isNegative();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Test
  void carsThatAreHandledOnceAreAnsweredInOrder() throws Exception {
    CarDriver.Counts counts = drive(500);

    assertThat(counts.answered()).isEqualTo(counts.sent()).isGreaterThanOrEqualTo(500);
    assertThat(counts.failed() + counts.corrupt() + counts.lost() + counts.repeated()).isZero();
  }

  @Test
  void carsThatWereForgottenAfterTheirReplyAreCountedAsLost() throws Exception {
    processor.forgetAt = 200;

    assertThat(drive(500).lost()).isEqualTo(200);
  }

  @Test
  void carsThatWereHandledBeforeAreCountedAsRepeated() throws Exception {
    long before = drive(100).sent();

    assertThat(drive(100).repeated()).isEqualTo(before);
  }

  @Test
  void aProbeIsAnsweredByAPrimary() throws Exception {
    try (OldPrimaryProbe probe = new OldPrimaryProbe(vertx, address)) {
      drive(500);

      await(() -> probe.accepted() == 1, () -> "an answer to the probe");
    }
  }
}
