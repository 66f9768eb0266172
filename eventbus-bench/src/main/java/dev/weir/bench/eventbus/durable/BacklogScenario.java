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
import java.util.List;

/**
 * A backlog much larger than the heap, in a JVM of its own: messages are accepted first and handled
 * later.
 */
public final class BacklogScenario implements Scenario {
  static final String NAME = "backlog";

  private static final List<String> CHILD_FLAGS =
      List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
  private static final String PATH = "weir-send";

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "A backlog larger than the heap, in a JVM of its own ("
            + String.join(" ", CHILD_FLAGS)
            + "). accept: messages are accepted with durability PROCESS while their service is"
            + " paused. drain: the service resumes and handles all messages in order. One round"
            + " is measured, after a warm-up with a tenth of the messages. heap MiB: the"
            + " highest use of the heap in that half, garbage included.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    long messages = context.scaled(200_000, 2_000_000);
    Duration timeout = Duration.ofMinutes(context.profile().pick(2, 15));
    context.progress().begin(NAME, 1);
    try (DataDirectory data = context.dataDirectory()) {
      ChildJvm.Outcome outcome =
          ChildJvm.run(
              CHILD_FLAGS,
              BacklogMain.class,
              List.of(data.path().toString(), Long.toString(messages)),
              timeout);
      context.progress().step("child JVM");
      Verdict ended = ended(outcome);
      JsonObject result = result(outcome);
      for (BacklogMain.Half half : BacklogMain.Half.values()) {
        Row row =
            ServiceFixture.describe(context.row())
                .caseName(half.toString())
                .path(PATH)
                .body(Bodies.Kind.BUFFER.toString())
                .payloadBytes(BacklogMain.BYTES)
                .inFlight(BacklogMain.IN_FLIGHT)
                .workers(RequestPath.WORKERS)
                .rounds(1)
                .operations(messages)
                .extra("durability", "PROCESS")
                .extra("jvmFlags", CHILD_FLAGS)
                .verdict(ended);
        context.report(figures(row, result, half));
      }
    } finally {
      context.progress().end();
    }
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
