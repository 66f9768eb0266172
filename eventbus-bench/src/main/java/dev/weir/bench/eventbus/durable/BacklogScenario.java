package dev.weir.bench.eventbus.durable;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A backlog in JVMs of their own, with a small heap and with a large one: messages are accepted
 * first and handled later.
 */
public final class BacklogScenario implements Scenario {
  static final String NAME = "backlog";

  private static final int SMALL_MIB = 64;
  private static final int LARGE_MIB = 2048;
  private static final String PATH = "weir-send";

  private static final String X_LARGE = "xLargeHeap";

  /**
   * The counts of one size of body.
   *
   * @param messages of the full profile
   * @param inFlight messages that wait for acceptance at any time; those of all sizes have about as
   *     many bytes, which are not to fill the small heap
   */
  private record Size(int bytes, long messages, int inFlight) {}

  private static final List<Size> SIZES =
      List.of(
          new Size(1_024, 2_000_000, 1_000),
          new Size(10_000, 200_000, 100),
          new Size(100_000, 20_000, 20));

  private static final int QUICK_SHARE = 10;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "A backlog of 2 GB, in a JVM of its own ("
            + String.join(" ", flags(SMALL_MIB))
            + "; the same with "
            + LARGE_MIB
            + " MiB). accept: messages are accepted with durability PROCESS while their service is"
            + " paused. drain: the service resumes and handles all messages in order. One round"
            + " is measured, after a warm-up with a tenth of the messages. heap MiB: the"
            + " highest use of the heap in that half, garbage included. "
            + X_LARGE
            + ": throughput over that with the large heap.");
  }

  private static List<String> flags(int heapMiB) {
    return List.of(
        "-Xms" + heapMiB + "m",
        "-Xmx" + heapMiB + "m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError");
  }

  @Override
  public void run(RunContext context) throws Exception {
    context.progress().begin(NAME, 2 * SIZES.size());
    try {
      for (Size size : SIZES) {
        long messages = context.scaled(size.messages / QUICK_SHARE, size.messages);
        Map<BacklogMain.Half, Row> large = measure(context, size, messages, LARGE_MIB);
        Map<BacklogMain.Half, Row> small = measure(context, size, messages, SMALL_MIB);
        small.forEach((half, row) -> compare(row, large.get(half)));
        small.values().forEach(context::report);
        large.values().forEach(context::report);
      }
    } finally {
      context.progress().end();
    }
  }

  private static void compare(Row small, Row large) {
    if (small.opsPerSec() != null && large.opsPerSec() != null) {
      small.ratio(X_LARGE, small.opsPerSec().over(large.opsPerSec()));
    }
  }

  private static Map<BacklogMain.Half, Row> measure(
      RunContext context, Size size, long messages, int heapMiB) throws Exception {
    Duration timeout = Duration.ofMinutes(context.profile().pick(2, 15));
    Map<BacklogMain.Half, Row> rows = new EnumMap<>(BacklogMain.Half.class);
    try (DataDirectory data = context.dataDirectory()) {
      ChildJvm.Outcome outcome =
          ChildJvm.run(
              flags(heapMiB),
              BacklogMain.class,
              List.of(
                  data.path().toString(),
                  Long.toString(messages),
                  Integer.toString(size.bytes),
                  Integer.toString(size.inFlight)),
              timeout);
      context.progress().step("child JVM");
      Verdict ended = ended(outcome);
      JsonObject result = result(outcome);
      for (BacklogMain.Half half : BacklogMain.Half.values()) {
        Row row =
            ServiceFixture.describe(context.row())
                .caseName(heapMiB == SMALL_MIB ? half.toString() : half + " in 2 GiB")
                .path(PATH)
                .body(Bodies.Kind.BUFFER.toString())
                .payloadBytes(size.bytes)
                .inFlight(size.inFlight)
                .workers(RequestPath.WORKERS)
                .rounds(1)
                .operations(messages)
                .extra("durability", "PROCESS")
                .extra("childFlags", flags(heapMiB))
                .verdict(ended);
        rows.put(half, figures(row, result, half));
      }
    }
    return rows;
  }

  private static Verdict ended(ChildJvm.Outcome outcome) {
    return Verdict.ok()
        .unless(outcome.exitCode() == 0, outcome.describe())
        .unless(
            outcome.line(BacklogMain.RESULT).isPresent(),
            "no result; last output: " + String.join(" | ", outcome.lastLines()));
  }

  private static JsonObject result(ChildJvm.Outcome outcome) {
    return outcome.line(BacklogMain.RESULT).map(JsonObject::new).orElse(null);
  }

  private static Row figures(Row row, JsonObject result, BacklogMain.Half half) {
    if (result == null) {
      return row;
    }
    JsonObject figures = result.getJsonObject(half.toString());
    String fault = figures.getString("fault");
    return row.opsPerSec(Spread.of(figures.getDouble("perSec")))
        .column("heap MiB", figures.getLong("peakHeapBytes") >> 20)
        .extra("peakHeapBytes", figures.getLong("peakHeapBytes"))
        .extra("maxHeapBytes", result.getLong("maxHeapBytes"))
        .extra("gc", result.getString("gc"))
        .extra("diskBytes", result.getLong("diskBytes"))
        .and(fault == null ? Verdict.ok() : Verdict.fail(fault));
  }
}
