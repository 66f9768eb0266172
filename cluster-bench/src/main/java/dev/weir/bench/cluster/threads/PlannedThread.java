package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.options.Names;
import dev.weir.bench.program.CpuMask;

/**
 * A thread of a {@link ThreadPlan}.
 *
 * @param place which process has it
 * @param spinAsked whether the configuration wants it to spin
 * @param spins whether it does
 * @param cpus where it may run
 */
public record PlannedThread(
    Place place, Task task, boolean spinAsked, boolean spins, CpuMask cpus) {

  /** A process. */
  public enum Place {
    PRIMARY,
    BACKUP
  }

  /** What a thread does. In the order in which CPUs are given to those that want to spin. */
  public enum Task {
    /** Handles messages; reads the link and writes the log where no other thread does. */
    MUX,
    /** Reads the replication link. */
    LINK_READER,
    /** Handles what the reader has read. */
    DISPATCHER,
    /** Sends replication. */
    REPLICATION_SENDER,
    /** Sends replies. */
    BUS_SENDER,
    /** Makes the messages and takes the replies. */
    INJECTOR,
    /** Writes the log; sleeps when there is nothing to write. */
    PERSISTER
  }

  PlannedThread spinning(boolean newSpins) {
    return new PlannedThread(place, task, spinAsked, newSpins, cpus);
  }

  @Override
  public String toString() {
    return Names.of(place)
        + " "
        + Names.of(task).replace('_', ' ')
        + (spins ? ", spins" : ", blocks")
        + (cpus.isAny() ? "" : ", on CPU " + cpus);
  }
}
