package dev.weir.bench.eventbus.durable;

import dev.weir.bench.Preheat;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.SendWorkload;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.Directories;
import dev.weir.bench.program.Names;
import dev.weir.bench.report.Progress;
import dev.weir.bench.verify.Verdict;
import dev.weir.flow.Service;
import dev.weir.queue.Durability;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The child JVM of {@link BacklogScenario}. Arguments: a data directory, a number of messages,
 * their size in bytes, and how many wait for acceptance at any time. Prints one line: {@value
 * #RESULT} and a JSON object.
 */
public final class BacklogMain {
  /** The word before the result. */
  static final String RESULT = "RESULT";

  private static final String ADDRESS = "backlog";
  private static final int PREHEAT_SHARE = 10;
  private static final int PREHEAT_PASSES = 5;
  private static final Duration STANDSTILL = Duration.ofSeconds(30);
  private static final long POLL_MS = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Path directory;
  private final SendWorkload messages;
  private final int inFlight;

  /** The two parts of the run. */
  enum Half {
    ACCEPT,
    DRAIN;

    @Override
    public String toString() {
      return Names.of(this);
    }
  }

  private BacklogMain(Path directory, ServiceFixture fixture, int bytes, int inFlight)
      throws InterruptedException {
    this.directory = directory;
    this.inFlight = inFlight;
    this.messages =
        new SendWorkload(fixture, ADDRESS, Bodies.Kind.BUFFER.bodies(bytes), Durability.PROCESS);
  }

  /** Runs the backlog; the exit code is 0 if a result was printed. */
  public static void main(String[] args) throws Exception {
    Path directory = Path.of(args[0]);
    long messages = Long.parseLong(args[1]);
    try (ServiceFixture fixture = ServiceFixture.withinHeap(directory)) {
      BacklogMain main =
          new BacklogMain(directory, fixture, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
      long share = Math.max(1, messages / PREHEAT_SHARE);
      new Preheat(PREHEAT_PASSES).run(ADDRESS, Progress.NONE, () -> main.run(share));
      System.out.println(RESULT + " " + main.run(messages).encode());
    }
  }

  private JsonObject run(long count) throws InterruptedException, IOException {
    Service service = messages.service();
    ServiceFixture.await(service.pause());
    resetPeaks();
    RoundResult accepted = messages.sendRound(count, inFlight);
    long received = messages.arrivals().received();
    long onDisk = service.stats().waitingOnDisk();
    Verdict kept =
        accepted
            .verdict()
            .unless(received == 0, "handled while paused: " + received)
            .unless(onDisk == count, "waiting on disk: " + onDisk);
    JsonObject result = new JsonObject();
    result.put(Half.ACCEPT.toString(), half(accepted.opsPerSec(), accepted.elapsedNs(), kept));
    result.put("diskBytes", Directories.bytes(directory));
    resetPeaks();
    long startNs = System.nanoTime();
    service.resume();
    awaitAll(count);
    long elapsedNs = System.nanoTime() - startNs;
    double perSec = messages.arrivals().received() * NANOS_PER_SECOND / elapsedNs;
    result.put(Half.DRAIN.toString(), half(perSec, elapsedNs, drained()));
    return result.put("maxHeapBytes", Runtime.getRuntime().maxMemory()).put("gc", collectors());
  }

  private Verdict drained() {
    long onDisk = messages.service().stats().waitingOnDisk();
    return messages.arrivals().verdict().unless(onDisk == 0, "still on disk: " + onDisk);
  }

  /** Waits until the service has received all messages, or receives none for a while. */
  private void awaitAll(long count) throws InterruptedException {
    long before = 0;
    long lastChangeNs = System.nanoTime();
    while (before < count && System.nanoTime() - lastChangeNs < STANDSTILL.toNanos()) {
      Thread.sleep(POLL_MS);
      long received = messages.arrivals().received();
      if (received != before) {
        before = received;
        lastChangeNs = System.nanoTime();
      }
    }
  }

  private static JsonObject half(double perSec, long elapsedNs, Verdict verdict) {
    JsonObject json =
        new JsonObject()
            .put("perSec", perSec)
            .put("elapsedNs", elapsedNs)
            .put("peakHeapBytes", peakHeapBytes());
    return verdict.isOk() ? json : json.put("fault", String.join("; ", verdict.reasons()));
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

  /** The sum of the peaks of all memory pools, which is never less than the true peak. */
  private static long peakHeapBytes() {
    return heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  private static String collectors() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .map(GarbageCollectorMXBean::getName)
        .collect(Collectors.joining(", "));
  }
}
