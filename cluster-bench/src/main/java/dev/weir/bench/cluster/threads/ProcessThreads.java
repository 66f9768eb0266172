package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.CpuMask;
import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.Waiting;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The threads of one process that takes part in a group.
 *
 * @param threads in the order of their tasks, one for each task at most
 * @param standIn a sleeping link reader that takes over when the processor's own thread does not
 *     poll the link; null where that thread never does
 */
public record ProcessThreads(List<PlannedThread> threads, PlannedThread standIn) {

  /** Adds the stand-in if nothing else reads the TCP link. */
  static ProcessThreads of(List<PlannedThread> threads, PlannedThread standIn) {
    ProcessThreads plain = new ProcessThreads(List.copyOf(threads), standIn);
    if (standIn == null || plain.spins(Task.MUX) || plain.has(Task.LINK_READER)) {
      return plain;
    }
    return new ProcessThreads(
        Stream.concat(threads.stream(), Stream.of(standIn))
            .sorted(Comparator.comparing(PlannedThread::task))
            .toList(),
        standIn);
  }

  /** The same threads, none of which spins. */
  ProcessThreads blocking() {
    return of(threads.stream().map(thread -> thread.spinning(false)).toList(), standIn);
  }

  Optional<PlannedThread> thread(Task task) {
    return threads.stream().filter(thread -> thread.task() == task).findFirst();
  }

  /**
   * CPUs that the threads keep busy; those that make messages or sleep on the link do not count.
   */
  public int busyCpus() {
    return (int)
        threads.stream()
            .filter(thread -> thread.task() != Task.INJECTOR)
            .filter(thread -> thread.task() != Task.LINK_READER || thread.spins())
            .count();
  }

  /** Whether there is a thread for the task. */
  public boolean has(Task task) {
    return thread(task).isPresent();
  }

  /** Whether there is a thread for the task and it spins. */
  public boolean spins(Task task) {
    return thread(task).filter(PlannedThread::spins).isPresent();
  }

  /** Where the thread may run; anywhere if there is none. */
  public CpuMask cpus(Task task) {
    return thread(task).map(PlannedThread::cpus).orElse(CpuMask.ANY);
  }

  /** What the thread does at rest; null if there is none. */
  public Waiting waiting(Task task) {
    return thread(task).map(it -> it.spins() ? Waiting.SPIN : Waiting.BLOCK).orElse(null);
  }

  /** How the link is read, by a thread of its own or by the processor's. */
  public Waiting linkWaiting() {
    return waiting(has(Task.LINK_READER) ? Task.LINK_READER : Task.MUX);
  }

  /** Binds the calling thread of a group to its CPUs. */
  public void bind(GroupDuty duty) {
    switch (duty) {
      case PROCESSOR -> cpus(Task.MUX).bind();
      case PERSISTER -> cpus(Task.PERSISTER).bind();
      case SENDER -> cpus(Task.REPLICATION_SENDER).bind();
      case DISPATCHER -> cpus(Task.DISPATCHER).bind();
      case LINK_READER -> cpus(Task.LINK_READER).bind();
      case REPLIES -> cpus(Task.BUS_SENDER).bind();
      case FEEDER -> {
        // Works rarely, so it may run anywhere.
      }
    }
  }
}
