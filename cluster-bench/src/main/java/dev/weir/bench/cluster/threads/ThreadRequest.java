package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.CpuMask;
import dev.weir.cluster.Replication;
import java.util.Map;

/**
 * The threads that a configuration asks for. How many CPUs the machine has does not matter here.
 *
 * @param optimize what the threads are laid out for
 * @param preset the threads beside the processor's own
 * @param link what carries replication; null without replication
 * @param persistent whether there is a log
 * @param backupHere whether the backup runs on this machine too
 * @param masks where the threads of the primary may run; a task without an entry runs anywhere
 */
public record ThreadRequest(
    OptimizeFor optimize,
    ThreadPreset preset,
    Replication link,
    boolean persistent,
    boolean backupHere,
    Map<Task, CpuMask> masks) {

  /** With fewer CPUs, a primary and a backup that spin leave none to Hazelcast. */
  private static final int LEAST_CPUS_BESIDE_HAZELCAST = 4;

  /**
   * The plan for this machine.
   *
   * @param blocking whether no thread may spin
   */
  public ThreadPlan onThisMachine(boolean blocking) {
    int cpus = Runtime.getRuntime().availableProcessors();
    ThreadPlan plan = ThreadPlan.of(this, cpus);
    if (link == Replication.HAZELCAST && cpus < LEAST_CPUS_BESIDE_HAZELCAST) {
      return plan.blocking()
          .warning("nothing spins: Hazelcast's own threads need the CPUs of this machine");
    }
    return blocking ? plan.blocking() : plan;
  }

  /** Whether the process is to have a thread for the task, if there are enough CPUs. */
  boolean asksFor(Task task, boolean primary) {
    boolean clustered = link != null;
    return switch (task) {
      case MUX -> true;
      // Hazelcast reads with threads of its own.
      case LINK_READER -> link == Replication.TCP && !muxReadsLink();
      case DISPATCHER -> clustered && preset.detachedDispatch();
      case REPLICATION_SENDER -> clustered && preset.detachedSend();
      case BUS_SENDER -> primary && preset.replies() != ThreadPreset.Detached.NEVER;
      case INJECTOR -> primary;
      case PERSISTER -> persistent && preset.persister() != ThreadPreset.Detached.NEVER;
    };
  }

  boolean asksToSpin(Task task) {
    return switch (task) {
      case LINK_READER -> preset.linkSpinRead();
      case INJECTOR -> optimize == OptimizeFor.LATENCY;
      case PERSISTER -> false;
      case MUX, DISPATCHER, REPLICATION_SENDER, BUS_SENDER -> true;
    };
  }

  /** Whether the processor's own thread polls the TCP link, as long as that thread spins. */
  boolean muxReadsLink() {
    return link == Replication.TCP && preset.linkSpinRead() && !preset.detachedDispatch();
  }

  /**
   * Whether a thread that would sleep is left out.
   *
   * @param room whether a CPU is left that no thread spins on
   */
  boolean isLeftOutAsleep(Task task, boolean room) {
    return switch (task) {
      // The processor's own thread makes the messages instead.
      case INJECTOR -> true;
      case BUS_SENDER -> !room && preset.replies() == ThreadPreset.Detached.WHERE_ROOM;
      case PERSISTER -> !room && preset.persister() == ThreadPreset.Detached.WHERE_ROOM;
      default -> false;
    };
  }

  CpuMask cpus(Task task, boolean primary) {
    return primary ? masks.getOrDefault(task, CpuMask.ANY) : CpuMask.ANY;
  }
}
