package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message of one byte takes some hundred bytes of the heap; millions of them do not fit. */
@Tag("slow")
class SmallMessageFloodTest {
  private static final int BATCH = 1_000;

  /** One of so many messages is accepted at least. */
  private static final int USEFUL_PARTS = 5;

  private static final long HANDLED_S = 300;

  private static final long ENDED_S = 2 * HANDLED_S;

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0} to {1} services")
  @CsvSource({
    "plain, 1, 1000000",
    "plain, 20, 50000",
    "durable, 1, 600000",
    "delayed, 1, 300000",
    "request, 1, 300000"
  })
  void aFloodOfMessagesOfOneByteDoesNotFillTheHeap(String kind, int services, long each) {
    try (ChildJvm child =
        ChildJvm.of(SmallMessageFloodTest.class)
            .flags("-Xmx128m", "-XX:+ExitOnOutOfMemoryError")
            .mergeErrors()
            .start(directory.toString(), kind, "" + services, "" + each)) {
      Await.until(() -> "the child ends: " + child.lines(), ENDED_S, () -> !child.isAlive());
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
      assertThat(child.lines()).contains("handled");
    }
  }

  /** The child: floods services that are paused, then lets them go. */
  public static void main(String[] args) {
    String kind = args[1];
    int number = Integer.parseInt(args[2]);
    long each = Long.parseLong(args[3]);
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx, new WeirOptions().setDirectory(args[0]));
    List<Service> services = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      services.add(
          Futures.result(
              "serve",
              weir.serve(
                  "s" + i, new ServiceOptions(), message -> Future.succeededFuture("done"))));
    }
    services.forEach(service -> Futures.result("pause", service.pause()));
    AtomicLong ended = new AtomicLong();
    for (long sent = BATCH; sent <= each; sent += BATCH) {
      for (int i = 0; i < number; i++) {
        for (int k = 0; k < BATCH; k++) {
          send(vertx, weir, kind, "s" + i).onComplete(done -> ended.incrementAndGet());
        }
      }
      long all = sent;
      Await.until(
          () -> "messages are taken or refused: " + services.get(0).stats(),
          () -> services.stream().allMatch(service -> taken(service) >= all));
    }
    if (services.stream().anyMatch(service -> service.stats().accepted() < each / USEFUL_PARTS)) {
      throw new AssertionError("refused: " + services.get(0).stats());
    }
    services.forEach(service -> Futures.result("resume", service.resume()));
    Await.until(
        "all are handled",
        HANDLED_S,
        () -> services.stream().allMatch(SmallMessageFloodTest::isIdle));
    Await.until("every sender is told", () -> ended.get() == each * number);
    System.out.println("handled");
    Futures.result("close", vertx.close());
  }

  private static Future<?> send(Vertx vertx, Weir weir, String kind, String address) {
    return switch (kind) {
      case "durable" -> weir.send(address, "x", Durability.PROCESS);
      case "delayed" ->
          weir.send(
              address,
              "x",
              Durability.PROCESS,
              new DeliveryOptions().addHeader(ServiceMessage.DELAY_MS, "1000"));
      case "request" ->
          vertx
              .eventBus()
              .request(address, "x", new DeliveryOptions().setSendTimeout(HANDLED_S * 1000));
      default -> {
        vertx.eventBus().send(address, "x");
        yield Future.succeededFuture();
      }
    };
  }

  private static long taken(Service service) {
    ServiceStats stats = service.stats();
    return stats.accepted() + stats.rejected();
  }

  private static boolean isIdle(Service service) {
    ServiceStats stats = service.stats();
    return stats.busyWorkers() + stats.waitingInMemory() + stats.waitingOnDisk() + stats.scheduled()
        == 0;
  }
}
