package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.program.CpuMask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The threads of a primary, and of a backup if it runs on the same machine. Two spinning threads
 * never share a CPU: a thread that gets no CPU of its own sleeps instead of spinning. Threads that
 * are of no use when they sleep are left out.
 *
 * @param backup null if the backup does not run on this machine
 * @param warnings one line each, for people
 */
public record ThreadPlan(ProcessThreads primary, ProcessThreads backup, List<String> warnings) {

  /** A thread that the configuration asks for. */
  private record Wanted(Task task, boolean primary, boolean spins, CpuMask cpus) {}

  /** Gives the CPUs of the machine to the threads that the request asks for. */
  public static ThreadPlan of(ThreadRequest request, int machineCpus) {
    List<Wanted> wanted = wanted(request);
    Set<Wanted> spinning = spinning(wanted, machineCpus);
    boolean room = spinning.size() < machineCpus;
    List<PlannedThread> primary = new ArrayList<>();
    List<PlannedThread> backup = new ArrayList<>();
    for (Wanted one : wanted) {
      boolean spins = spinning.contains(one);
      if (spins || !request.isLeftOutAsleep(one.task, room)) {
        // The thread of a backup has nothing to poll if another thread reads the link.
        boolean idle = !one.primary && one.task == Task.MUX && !request.muxReadsLink();
        (one.primary ? primary : backup).add(new PlannedThread(one.task, spins && !idle, one.cpus));
      }
    }
    return new ThreadPlan(
        ProcessThreads.of(primary, standIn(request, true)),
        request.backupHere() ? ProcessThreads.of(backup, standIn(request, false)) : null,
        warnings(wanted, spinning.size(), machineCpus));
  }

  /** How many threads of the request spin on a machine that has a CPU for each of them. */
  public static int spinningThreads(ThreadRequest request) {
    return (int) wanted(request).stream().filter(Wanted::spins).count();
  }

  /** All threads that the request asks for, in the order in which they are given CPUs. */
  private static List<Wanted> wanted(ThreadRequest request) {
    List<Wanted> wanted = new ArrayList<>();
    for (Task task : Task.values()) {
      for (boolean primary : new boolean[] {true, false}) {
        if ((primary || request.backupHere()) && request.asksFor(task, primary)) {
          boolean spins = request.asksToSpin(task);
          wanted.add(new Wanted(task, primary, spins, request.cpus(task, primary)));
        }
      }
    }
    return wanted;
  }

  /** The threads that get a CPU to spin on. */
  private static Set<Wanted> spinning(List<Wanted> wanted, int machineCpus) {
    Set<Wanted> spinning = new HashSet<>();
    BitSet taken = new BitSet();
    // First the threads with a mask: one that may run anywhere must not take their only CPU.
    wanted.stream()
        .filter(Wanted::spins)
        .sorted(Comparator.comparing(one -> one.cpus.isAny()))
        .filter(one -> take(one.cpus, taken, machineCpus))
        .forEach(spinning::add);
    return spinning;
  }

  private static boolean take(CpuMask cpus, BitSet taken, int machineCpus) {
    BitSet free = cpus.cpus();
    if (cpus.isAny()) {
      free.set(0, machineCpus);
    }
    free.andNot(taken);
    // The highest: the operating system tends to start threads without a mask on the first CPU.
    int cpu = free.length() - 1;
    if (cpu >= 0) {
      taken.set(cpu);
    }
    return cpu >= 0;
  }

  private static PlannedThread standIn(ThreadRequest request, boolean primary) {
    CpuMask cpus = request.cpus(Task.LINK_READER, primary);
    return request.muxReadsLink() ? new PlannedThread(Task.LINK_READER, false, cpus) : null;
  }

  private static List<String> warnings(List<Wanted> wanted, int spinning, int machineCpus) {
    long asked = wanted.stream().filter(Wanted::spins).count();
    if (asked == spinning) {
      return List.of();
    }
    return List.of(
        asked
            + " spinning threads are asked for, "
            + spinning
            + " can have one of the "
            + machineCpus
            + " CPUs to themselves; the others block, so that no two spin on one CPU");
  }

  /** The same threads, none of which spins. */
  public ThreadPlan blocking() {
    return new ThreadPlan(primary.blocking(), backup == null ? null : backup.blocking(), warnings);
  }

  /** The same plan with one more warning. */
  public ThreadPlan warning(String line) {
    return new ThreadPlan(
        primary, backup, Stream.concat(warnings.stream(), Stream.of(line)).toList());
  }

  /** One line for people: all threads in the order of their tasks. */
  public String describe() {
    List<String> lines = new ArrayList<>();
    for (Task task : Task.values()) {
      primary.thread(task).ifPresent(thread -> lines.add("primary " + thread));
      if (backup != null) {
        backup.thread(task).ifPresent(thread -> lines.add("backup " + thread));
      }
    }
    return String.join("; ", lines);
  }
}
