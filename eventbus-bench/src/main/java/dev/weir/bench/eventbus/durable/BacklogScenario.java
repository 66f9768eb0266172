package dev.weir.bench.eventbus.durable;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
  private static final int ROUNDS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "A backlog of 2 GB, in a JVM of its own ("
            + String.join(" ", flags(SMALL_MIB))
            + "; the same with "
            + LARGE_MIB
            + " MiB). accept: messages are accepted with durability PROCESS while their service is"
            + " paused. drain: the service resumes and handles all messages in order. Each round"
            + " is a JVM, which works with a tenth of the messages until its compilers are idle"
            + " and is measured then; rounds of both heaps take turns. heap MiB: the highest use"
            + " of the heap in that half, garbage included. "
            + X_LARGE
            + ": throughput over that with the large heap in the same round, the median.");
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
    context.progress().begin(NAME, 2 * ROUNDS * SIZES.size());
    try {
      for (Size size : SIZES) {
        long messages = context.scaled(size.messages / QUICK_SHARE, size.messages);
        List<ChildJvm.Outcome> large = new ArrayList<>();
        List<ChildJvm.Outcome> small = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
          large.add(measure(context, size, messages, LARGE_MIB));
          small.add(measure(context, size, messages, SMALL_MIB));
        }
        for (BacklogMain.Half half : BacklogMain.Half.values()) {
          Row floor = row(context, size, messages, LARGE_MIB, half, large);
          Row row = row(context, size, messages, SMALL_MIB, half, small);
          if (row.opsPerSec() != null && floor.opsPerSec() != null) {
            row.ratio(X_LARGE, row.opsPerSec().over(floor.opsPerSec()));
          }
          context.report(row);
          context.report(floor);
        }
      }
    } finally {
      context.progress().end();
    }
  }

  private static ChildJvm.Outcome measure(RunContext context, Size size, long messages, int heapMiB)
      throws Exception {
    Duration timeout = Duration.ofMinutes(context.profile().pick(2, 15));
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
      return outcome;
    }
  }

  private static Row row(
      RunContext context,
      Size size,
      long messages,
      int heapMiB,
      BacklogMain.Half half,
      List<ChildJvm.Outcome> outcomes) {
    Row row =
        ServiceFixture.describe(context.row())
            .caseName(heapMiB == SMALL_MIB ? half.toString() : half + " in 2 GiB")
            .path(PATH)
            .body(Bodies.Kind.BUFFER.toString())
            .payloadBytes(size.bytes)
            .inFlight(size.inFlight)
            .workers(RequestPath.WORKERS)
            .rounds(outcomes.size())
            .operations(messages)
            .extra("durability", "PROCESS")
            .extra("childFlags", flags(heapMiB))
            .verdict(Verdict.ok());
    outcomes.forEach(outcome -> row.and(ended(outcome)));
    return row.verdict().isOk()
        ? figures(row, outcomes.stream().map(BacklogScenario::result).toList(), half)
        : row;
  }

  private static Verdict ended(ChildJvm.Outcome outcome) {
    return Verdict.ok()
        .unless(outcome.exitCode() == 0, outcome.describe())
        .unless(
            outcome.line(BacklogMain.RESULT).isPresent(),
            "no result; last output: " + String.join(" | ", outcome.lastLines()));
  }

  private static JsonObject result(ChildJvm.Outcome outcome) {
    return new JsonObject(outcome.line(BacklogMain.RESULT).orElseThrow());
  }

  private static Row figures(Row row, List<JsonObject> results, BacklogMain.Half half) {
    List<JsonObject> halves =
        results.stream().map(result -> result.getJsonObject(half.toString())).toList();
    halves.stream()
        .map(each -> each.getString("fault"))
        .filter(Objects::nonNull)
        .forEach(fault -> row.and(Verdict.fail(fault)));
    long peakBytes =
        halves.stream().mapToLong(each -> each.getLong("peakHeapBytes")).max().orElse(0);
    long measuredNs = halves.stream().mapToLong(each -> each.getLong("elapsedNs")).sum();
    JsonObject first = results.get(0);
    return row.opsPerSec(
            Spread.of(halves.stream().mapToDouble(each -> each.getDouble("perSec")).toArray()))
        .extra(Doubts.MEASURED_MS, measuredNs / NANOS_PER_MILLI)
        .column("heap MiB", peakBytes >> 20)
        .extra("peakHeapBytes", peakBytes)
        .extra("maxHeapBytes", first.getLong("maxHeapBytes"))
        .extra("gc", first.getString("gc"))
        .extra("diskBytes", first.getLong("diskBytes"));
  }
}
