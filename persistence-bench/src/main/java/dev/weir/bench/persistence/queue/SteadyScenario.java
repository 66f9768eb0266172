package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.load.Pace;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Durability;
import java.time.Duration;
import java.util.Locale;

/** How long an append takes at half of what the queue can do, for a long time. */
public final class SteadyScenario implements Scenario {
  private static final String NAME = "steady";
  private static final String CASE = "half-capacity";
  private static final String SECONDS = "steady.seconds";
  private static final long BACKLOG = 100_000;
  private static final long BUDGET_BYTES = 64L << 20;
  private static final long FILE_BYTES = 8L << 20;
  private static final long CAPACITY_MESSAGES = 1_000_000;
  private static final int FULL_FACTOR = 3;
  private static final int CAPACITY_ROUNDS = 3;
  private static final long QUICK_SECONDS = 5;
  private static final long FULL_SECONDS = 60;
  private static final long MOST_SECONDS = 86_400;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final double SHARE = 0.5;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "Appends at half of the capacity that the same queue has just shown, which is"
            + " the slowest of "
            + CAPACITY_ROUNDS
            + " saturated rounds. For each message that is appended, one is taken, with a"
            + " backlog. us: from the intended time of an append to its completion. file: the"
            + " same bodies at the same rate in a plain file, those that are due in one write; with"
            + " flush disk a second thread forces what was written during the last force; nothing is"
            + " taken. xp50, xp99, xp99.9: over those of the file.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    QueueRows.forEachDurability(context, NAME, SteadyScenario::measure);
  }

  private static void measure(RunContext context, Durability durability) throws Exception {
    BudgetedQueue queue =
        new BudgetedQueue(durability, context.scaled(BACKLOG), BUDGET_BYTES, FILE_BYTES, false);
    queue.preheat(context);
    long saturated = context.scaled(CAPACITY_MESSAGES, FULL_FACTOR * CAPACITY_MESSAGES);
    double capacity = queue.capacityPerSec(context, saturated, CAPACITY_ROUNDS);
    double rate = SHARE * capacity;
    long seconds =
        context.number(
            SECONDS, context.profile().pick(QUICK_SECONDS, FULL_SECONDS), 1, MOST_SECONDS);
    long messages = context.scaled((long) (rate * seconds));
    long warmUp = context.scaled((long) (rate * WARM_UP.toSeconds()));
    BudgetedQueue.Outcome outcome = queue.measure(context, warmUp, messages, rate);
    context.note(
        String.format(
            Locale.ROOT,
            "%s: %,.0f/s asked, half of %,.0f/s; %,.0f/s done for %.0f s; p99.9 %.1f ms; %s",
            durability,
            rate,
            capacity,
            outcome.perSec(),
            outcome.seconds(),
            outcome.latencies().summary().p999Us() / 1000,
            outcome.diskNote()));
    Row row =
        outcome
            .row(context, CASE)
            // Not the field operations, which is part of a row's identity: it differs by the run.
            .extra("messages", messages)
            .extra("loop", "open")
            .extra("capacityPerSec", capacity)
            .and(Verdict.ok().unless(outcome.flow().pace() != null, "the appender did not end"));
    Pace pace = outcome.flow().pace();
    if (pace != null) {
      // A machine that does not keep the rate says so in its row; that is no failure.
      row.and(pace.verdict(outcome.perSec())).pace(pace);
    }
    Row file = new PacedFile(durability).measure(context, CASE, warmUp, messages, rate);
    context.report(file);
    context.report(row.over(file, "xFile"));
  }
}
