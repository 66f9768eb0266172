package dev.weir.bench.cluster.threads;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Names;

/**
 * One thread of a process that takes part in a group.
 *
 * @param spins whether it polls without pause; otherwise it sleeps when there is nothing to do
 * @param cpus where it may run
 */
public record PlannedThread(Task task, boolean spins, CpuMask cpus) {

  /** What a thread does. CPUs are given to spinning threads in the order of these constants. */
  public enum Task {
    /** Handles messages. Reads the link and writes the log too, where no other thread does. */
    MUX,
    /** Reads the replication link. */
    LINK_READER,
    /** Handles what the link reader has read. */
    DISPATCHER,
    /** Sends replication. */
    REPLICATION_SENDER,
    /** Sends replies. */
    BUS_SENDER,
    /** Makes the messages and takes the replies. */
    INJECTOR,
    /** Writes the log, and sleeps when there is nothing to write. */
    PERSISTER
  }

  PlannedThread spinning(boolean newSpins) {
    return new PlannedThread(task, newSpins, cpus);
  }

  /** For people, such as "link reader, blocks, on CPU [1]". */
  @Override
  public String toString() {
    return Names.of(task).replace('-', ' ')
        + (spins ? ", spins" : ", blocks")
        + (cpus.isAny() ? "" : ", on CPU " + cpus);
  }
}
