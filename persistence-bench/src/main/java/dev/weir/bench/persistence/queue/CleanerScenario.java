package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueStoreOptions;
import java.util.Locale;

/** A queue kept half full until several times its budget has gone through it. */
public final class CleanerScenario implements Scenario {
  private static final String NAME = "cleaner";
  private static final long QUICK_BUDGET_BYTES = 64L << 20;
  private static final long FULL_BUDGET_BYTES = 1L << 30;
  private static final long QUICK_FILE_BYTES = 8L << 20;
  private static final long PREHEAT_BACKLOG = 100_000;
  private static final int BUDGETS_WRITTEN = 5;
  private static final int SHARE_KEPT = 2;

  @Override
  public About about() {
    return About.fullOnly(
        NAME,
        "weir-queue beyond the steady state of JE's cleaner. The queue has a budget"
            + " (maxBytes) and is kept half full while "
            + BUDGETS_WRITTEN
            + " times the budget passes through it. For each message that is appended, one is"
            + " taken, as fast as possible. us: from an append to its completion, "
            + QueueFixture.WINDOW
            + " incomplete at most. max is the worst stall.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    QueueRows.forEachDurability(context, NAME, CleanerScenario::measure);
  }

  private static void measure(RunContext context, Durability durability) throws Exception {
    long budgetBytes = context.scaled(QUICK_BUDGET_BYTES, FULL_BUDGET_BYTES);
    long fileBytes =
        context.profile().pick(QUICK_FILE_BYTES, QueueStoreOptions.DEFAULT_LOG_FILE_BYTES);
    long backlog = Math.max(1, budgetBytes / QueueFixture.BYTES / SHARE_KEPT);
    long messages = backlog * SHARE_KEPT * BUDGETS_WRITTEN;
    long small = Math.min(backlog, context.scaled(PREHEAT_BACKLOG));
    new BudgetedQueue(durability, small, budgetBytes, fileBytes, true).preheat(context);
    BudgetedQueue.Outcome outcome =
        new BudgetedQueue(durability, backlog, budgetBytes, fileBytes, true)
            .measure(context, 0, messages, 0);
    double worstStallMs = outcome.latencies().summary().maxUs() / 1000;
    context.note(
        String.format(
            Locale.ROOT,
            "%s: worst stall %.1f ms; %s",
            durability,
            worstStallMs,
            outcome.diskNote()));
    context.report(
        outcome
            .row(context, "half-full")
            .operations(messages)
            .extra("loop", "closed")
            .extra("worstStallMs", worstStallMs)
            .extra("diskHighOverBudget", outcome.highOverBudget())
            .extra("diskAfterOverBudget", outcome.afterOverBudget())
            .extra("writtenOverBudget", BUDGETS_WRITTEN));
  }
}
