package dev.weir.bench.persistence.queue;

import dev.weir.bench.RunContext;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.report.Row;
import dev.weir.queue.Durability;
import java.util.List;

/**
 * What the scenarios of this package have in common: which durabilities they run, and their rows.
 */
final class QueueRows {
  /** The field {@code path} of every row. */
  static final String PATH = "weir-queue";

  private static final String SETTING = "durability";
  private static final List<Durability> BOTH = List.of(Durability.PROCESS, Durability.MACHINE);

  private QueueRows() {}

  /** Both durabilities, or the one that {@code --set durability=NAME} asks for. */
  static List<Durability> durabilities(RunContext context) {
    return context
        .option(SETTING, BOTH)
        .map(name -> List.of(Durability.valueOf(name)))
        .orElse(BOTH);
  }

  /** What is measured for each durability. */
  interface Work {
    void measure(RunContext context, Durability durability) throws Exception;
  }

  /** Measures each of the {@link #durabilities} and shows the progress. */
  static void forEachDurability(RunContext context, String name, Work work) throws Exception {
    List<Durability> all = durabilities(context);
    context.progress().begin(name, all.size());
    for (Durability durability : all) {
      work.measure(context, durability);
      context.progress().step(durability.toString());
    }
    context.progress().end();
  }

  /** The flush that corresponds to the durability. */
  static Flush flush(Durability durability) {
    return durability == Durability.MACHINE ? Flush.DISK : Flush.OS;
  }

  /** A row with what is the same for every scenario. */
  static Row row(RunContext context, String caseName, long backlog) {
    return context
        .row()
        .caseName(caseName)
        .path(PATH)
        .backlog(backlog)
        .payloadBytes(QueueFixture.BYTES)
        .extra("maxHeapBytes", Runtime.getRuntime().maxMemory());
  }
}
