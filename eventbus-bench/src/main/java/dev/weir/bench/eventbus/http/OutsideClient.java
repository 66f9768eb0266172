package dev.weir.bench.eventbus.http;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The process of {@link OutsideClientMain}, which sends to one target at a time. For one thread.
 */
final class OutsideClient implements AutoCloseable {
  private static final List<String> FLAGS =
      List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError");
  private static final long TIMEOUT_S = 120;

  /** An event loop with as much of a CPU always has work, so that nobody else is the bottleneck. */
  private static final double FULL_LOOP_PERCENT = 95;

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final ChildJvm child;

  /** Starts a client that knows these targets. */
  OutsideClient(List<JsonObject> targets) throws IOException {
    List<String> arguments = targets.stream().map(JsonObject::encode).toList();
    child = ChildJvm.start(List.of(), FLAGS, OutsideClientMain.class, arguments, lines::add);
    child.outcome().thenAccept(end -> lines.add(end.describe()));
  }

  /**
   * Sends to the target for the time of a round, blocking the caller; returns what was measured.
   */
  JsonObject round(int target) throws IOException, InterruptedException {
    child.say(Integer.toString(target));
    String line = lines.poll(TIMEOUT_S, TimeUnit.SECONDS);
    if (line == null || !line.startsWith(OutsideClientMain.ROUND + " ")) {
      throw new IOException("the client measured nothing: " + line);
    }
    return new JsonObject(line.substring(OutsideClientMain.ROUND.length() + 1));
  }

  /** The result of a round as the harness has it; its throughput is that of good answers. */
  static RoundResult result(JsonObject round) {
    long requests = round.getLong("requests");
    return RoundResult.closedLoop(
        new Tally(
            requests,
            requests,
            requests,
            round.getLong("failed"),
            0,
            0,
            0,
            round.getString("firstFailure")),
        round.getLong("elapsedNs"));
  }

  /** States in the row how busy the client and the event loop of the server were. */
  static Row describe(Row row, List<JsonObject> rounds) {
    double elapsedNs = sum(rounds, "elapsedNs");
    double cpuPercent = 100 * sum(rounds, "cpuNs") / elapsedNs;
    double loopPercent = 100 * sum(rounds, "serverCpuNs") / elapsedNs;
    return row.column("client", "outside")
        .column(Doubts.CLIENT_PERCENT, 100 * (elapsedNs - sum(rounds, "idleNs")) / elapsedNs)
        .column("client cpu%", cpuPercent)
        .column("loop%", loopPercent)
        .extra("check", "status or message of every answer; count at the service")
        .extra("transport", "loopback TCP")
        .extra("processes", 2)
        .extra("childFlags", FLAGS)
        .and(
            Verdict.ok()
                .unless(
                    cpuPercent <= Doubts.MOST_CLIENT_PERCENT || loopPercent >= FULL_LOOP_PERCENT,
                    Verdict.Kind.SUSPECT,
                    String.format(
                        Locale.ROOT,
                        "the client took %.0f %% of a CPU, and the event loop only %.0f %%",
                        cpuPercent,
                        loopPercent)));
  }

  private static long sum(List<JsonObject> rounds, String name) {
    return rounds.stream().mapToLong(round -> round.getLong(name)).sum();
  }

  @Override
  public void close() {
    child.close();
  }
}
