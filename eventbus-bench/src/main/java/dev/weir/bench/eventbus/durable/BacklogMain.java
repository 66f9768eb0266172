package dev.weir.bench.eventbus.durable;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.ArrivalCheck;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.Target;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The child JVM of {@link BacklogScenario}. Arguments: a data directory and a number of messages.
 * Prints one line: {@value #RESULT} and a JSON object.
 */
public final class BacklogMain {
  /** The word before the result. */
  static final String RESULT = "RESULT";

  /** Size of each body. */
  static final int BYTES = 1_024;

  /** Messages on their way to acceptance at any time. */
  static final int IN_FLIGHT = 1_000;

  private static final String ADDRESS = "backlog";
  private static final int WARM_UP_SHARE = 10;
  private static final Duration STANDSTILL = Duration.ofSeconds(30);
  private static final long POLL_MS = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  private final ServiceFixture fixture;
  private final Path directory;
  private final Bodies bodies = Bodies.Kind.BUFFER.bodies(BYTES);
  private final Service service;
  private volatile ArrivalCheck arrivals;

  /** The two halves of the run. */
  enum Half {
    ACCEPT("accept"),
    DRAIN("drain");

    private final String label;

    Half(String label) {
      this.label = label;
    }

    @Override
    public String toString() {
      return label;
    }
  }

  private BacklogMain(Path directory, ServiceFixture fixture) throws InterruptedException {
    this.directory = directory;
    this.fixture = fixture;
    this.service =
        fixture.serve(
            fixture.sender(),
            ADDRESS,
            new ServiceOptions().setWorkers(RequestPath.WORKERS),
            message -> {
              arrivals.accept(message.body());
              return Future.succeededFuture();
            });
  }

  /** Runs the backlog; the exit code is 0 if a result was printed. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    long messages = Long.parseLong(args[1]);
    try (ServiceFixture fixture = ServiceFixture.in(directory)) {
      BacklogMain main = new BacklogMain(directory, fixture);
      main.run(Math.max(1, messages / WARM_UP_SHARE));
      System.out.println(RESULT + " " + main.run(messages).encode());
    }
  }

  private JsonObject run(long messages) throws InterruptedException, IOException {
    arrivals = ArrivalCheck.ordered(bodies, messages);
    ServiceFixture.await(service.pause());
    resetPeaks();
    RoundResult accepted =
        new ClosedLoop(target(), Load.of(messages), IN_FLIGHT).run(ServiceFixture.on(fixture.sender()));
    Verdict kept =
        accepted
            .verdict()
            .unless(arrivals.received() == 0, "handled while paused: " + arrivals.received())
            .unless(
                service.stats().waitingOnDisk() == messages,
                "waiting on disk: " + service.stats().waitingOnDisk());
    JsonObject result = new JsonObject();
    result.put(Half.ACCEPT.toString(), half(accepted.opsPerSec(), kept));
    result.put("diskBytes", diskBytes());
    resetPeaks();
    long startNs = System.nanoTime();
    service.resume();
    awaitAll(messages);
    double seconds = (System.nanoTime() - startNs) / NANOS_PER_SECOND;
    result.put(Half.DRAIN.toString(), half(arrivals.received() / seconds, drained()));
    return result.put("maxHeapBytes", Runtime.getRuntime().maxMemory()).put("gc", collectors());
  }

  private Verdict drained() {
    return arrivals
        .verdict()
        .unless(
            service.stats().waitingOnDisk() == 0,
            "still on disk: " + service.stats().waitingOnDisk());
  }

  private Target target() {
    return (operation, startTimeNs, sink) -> {
      Object body = bodies.take(operation);
      Future<Void> accepted = fixture.weir().send(ADDRESS, body, Durability.PROCESS);
      bodies.giveBack(body);
      accepted.onComplete(
          (ignored, failure) -> {
            if (failure != null) {
              sink.onFailure(operation, startTimeNs, failure);
            } else {
              sink.onReply(operation, startTimeNs, Reply.OK);
            }
          });
    };
  }

  /** Waits until all have come, or none comes any more. */
  private void awaitAll(long messages) throws InterruptedException {
    long before = 0;
    long lastChangeNs = System.nanoTime();
    while (before < messages && System.nanoTime() - lastChangeNs < STANDSTILL.toNanos()) {
      Thread.sleep(POLL_MS);
      if (arrivals.received() != before) {
        before = arrivals.received();
        lastChangeNs = System.nanoTime();
      }
    }
  }

  private static JsonObject half(double perSec, Verdict verdict) {
    JsonObject json = new JsonObject().put("perSec", perSec).put("peakHeapBytes", peakHeapBytes());
    return verdict.isOk() ? json : json.put("fault", String.join("; ", verdict.reasons()));
  }

  private long diskBytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  private static void resetPeaks() {
    System.gc();
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The peaks of all pools together: never less than the true peak. */
  private static long peakHeapBytes() {
    return heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }
}
