package dev.weir.bench.cluster.threads;

import dev.weir.bench.cluster.threads.PlannedThread.Place;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ThreadWishes.Detached;
import dev.weir.bench.program.CpuMask;
import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which threads a primary, and a backup on the same machine, have, and which of them spin. Two
 * spinning threads never share a CPU: those for which none is left block instead. An injector that
 * would block is left out: the processor's thread polls the source of messages itself. So are
 * threads that are wished for only where there is room. A link by TCP is always read by somebody:
 * by a thread that sleeps where the processor's own was to poll it and does not spin.
 *
 * @param threads in the order in which they were given a CPU
 * @param standIns the readers of links that the processor's own thread polls as long as it spins
 * @param warnings one line each
 */
public record ThreadPlan(
    List<PlannedThread> threads, List<PlannedThread> standIns, List<String> warnings) {

  private static final Comparator<PlannedThread> ORDER =
      Comparator.comparing(PlannedThread::task).thenComparing(PlannedThread::place);

  public ThreadPlan {
    threads = List.copyOf(threads);
    standIns = List.copyOf(standIns);
    warnings = List.copyOf(warnings);
  }

  /**
   * The plan for this machine.
   *
   * @param backupHere whether the backup runs on this machine too
   * @param link what carries replication; null without it
   * @param persistent whether there is a log
   * @param machineCpus how many CPUs there are
   * @param masks where the threads of the primary may run; what is absent, anywhere
   */
  public static ThreadPlan of(
      ThreadWishes wishes,
      OptimizeFor optimize,
      Replication link,
      boolean persistent,
      boolean backupHere,
      int machineCpus,
      Map<Task, CpuMask> masks) {
    Asked asked = new Asked(wishes, optimize, link, persistent);
    asked.addProcess(Place.PRIMARY, masks);
    if (backupHere) {
      asked.addProcess(Place.BACKUP, Map.of());
    }
    asked.threads.sort(ORDER);
    return granted(asked, machineCpus);
  }

  /** Collects the threads that are wished for. */
  private record Asked(
      ThreadWishes wishes,
      OptimizeFor optimize,
      Replication link,
      boolean persistent,
      List<PlannedThread> threads,
      List<PlannedThread> standIns) {

    Asked(ThreadWishes wishes, OptimizeFor optimize, Replication link, boolean persistent) {
      this(wishes, optimize, link, persistent, new ArrayList<>(), new ArrayList<>());
    }

    void addProcess(Place place, Map<Task, CpuMask> masks) {
      Adder adder = new Adder(threads, place, masks);
      boolean primary = place == Place.PRIMARY;
      boolean clustered = link != null;
      boolean ownReader = !wishes.linkSpinRead() || wishes.detachedDispatch();
      // Hazelcast reads with threads of its own.
      boolean tcp = link == Replication.TCP;
      adder.add(Task.MUX, true, true);
      adder.add(Task.LINK_READER, tcp && ownReader, wishes.linkSpinRead());
      new Adder(standIns, place, masks).add(Task.LINK_READER, tcp && !ownReader, false);
      adder.add(Task.DISPATCHER, clustered && wishes.detachedDispatch(), true);
      adder.add(Task.REPLICATION_SENDER, clustered && wishes.detachedSend(), true);
      adder.add(Task.BUS_SENDER, primary && wishes.busDetachedSend() != Detached.NEVER, true);
      adder.add(Task.INJECTOR, primary, optimize == OptimizeFor.LATENCY);
      adder.add(Task.PERSISTER, persistent && wishes.persisterDetached() != Detached.NEVER, false);
    }
  }

  /** Adds the threads of one process. */
  private record Adder(List<PlannedThread> threads, Place place, Map<Task, CpuMask> masks) {
    void add(Task task, boolean exists, boolean spin) {
      if (exists) {
        CpuMask cpus = masks.getOrDefault(task, CpuMask.ANY);
        threads.add(new PlannedThread(place, task, spin, spin, cpus));
      }
    }
  }

  private static ThreadPlan granted(Asked wanted, int machineCpus) {
    List<PlannedThread> asked = wanted.threads;
    BitSet spinning = spinning(asked, machineCpus);
    boolean room = spinning.cardinality() < machineCpus;
    List<PlannedThread> threads = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      PlannedThread thread = asked.get(i).spinning(spinning.get(i));
      if (thread.spins() || !isLeftOut(thread.task(), wanted.wishes, room)) {
        threads.add(thread);
      }
    }
    List<String> warnings = warnings(asked, spinning.cardinality(), machineCpus);
    return new ThreadPlan(List.of(), wanted.standIns, warnings).with(threads);
  }

  /** Which of the threads get a CPU to spin on. */
  private static BitSet spinning(List<PlannedThread> asked, int machineCpus) {
    CpuShare share = new CpuShare(machineCpus);
    // First those that name their CPUs: one that may run anywhere must not take the only CPU of
    // another. Among them, and among the others, in order.
    BitSet spinning = new BitSet();
    for (boolean bound : new boolean[] {true, false}) {
      for (int i = 0; i < asked.size(); i++) {
        PlannedThread thread = asked.get(i);
        if (thread.spinAsked() && bound != thread.cpus().isAny() && share.take(thread.cpus())) {
          spinning.set(i);
        }
      }
    }
    return spinning;
  }

  /** Whether there is no such thread if it would sleep. */
  private static boolean isLeftOut(Task task, ThreadWishes wishes, boolean room) {
    return switch (task) {
      case INJECTOR -> true;
      case BUS_SENDER -> !room && wishes.busDetachedSend() == Detached.WHERE_ROOM;
      case PERSISTER -> !room && wishes.persisterDetached() == Detached.WHERE_ROOM;
      default -> false;
    };
  }

  /** This plan with other threads, and with the stand-ins that they make necessary. */
  private ThreadPlan with(List<PlannedThread> changed) {
    ThreadPlan plan = new ThreadPlan(changed, standIns, warnings);
    List<PlannedThread> all = new ArrayList<>(changed);
    for (PlannedThread reader : standIns) {
      if (!plan.spins(reader.place(), Task.MUX) && !plan.has(reader.place(), reader.task())) {
        all.add(reader);
      }
    }
    all.sort(ORDER);
    return new ThreadPlan(all, standIns, warnings);
  }

  /** This plan as it is run: where a backup's own thread has no link to poll, it does not spin. */
  public ThreadPlan built() {
    boolean polls = standIns.stream().anyMatch(reader -> reader.place() == Place.BACKUP);
    return polls ? this : with(threads.stream().map(ThreadPlan::sleepingBackup).toList());
  }

  private static PlannedThread sleepingBackup(PlannedThread thread) {
    boolean backup = thread.place() == Place.BACKUP && thread.task() == Task.MUX;
    return backup ? thread.spinning(false) : thread;
  }

  /** This plan, but that nothing spins. */
  public ThreadPlan blocking() {
    return with(threads.stream().map(t -> t.spinning(false)).toList());
  }

  public ThreadPlan warning(String line) {
    List<String> all = new ArrayList<>(warnings);
    all.add(line);
    return new ThreadPlan(threads, standIns, all);
  }

  private static List<String> warnings(List<PlannedThread> asked, int spinning, int machineCpus) {
    long wanted = asked.stream().filter(PlannedThread::spinAsked).count();
    if (wanted == spinning) {
      return List.of();
    }
    return List.of(
        wanted
            + " spinning threads are asked for, "
            + spinning
            + " can have one of the "
            + machineCpus
            + " CPUs to themselves; the others block, so that no two spin on one CPU");
  }

  /** Whether the process has such a thread. */
  public boolean has(Place place, Task task) {
    return threads.stream().anyMatch(t -> t.place() == place && t.task() == task);
  }

  /** Whether the process has such a thread and it spins. */
  boolean spins(Place place, Task task) {
    return threads.stream().anyMatch(t -> t.place() == place && t.task() == task && t.spins());
  }

  /** Where the thread may run; anywhere if there is none. */
  public CpuMask cpus(Place place, Task task) {
    return threads.stream()
        .filter(t -> t.place() == place && t.task() == task)
        .map(PlannedThread::cpus)
        .findFirst()
        .orElse(CpuMask.ANY);
  }

  /** What the group's thread in the process does at rest. */
  public Waiting waiting(Place place) {
    return spins(place, Task.MUX) ? Waiting.SPIN : Waiting.BLOCK;
  }

  /** How the link of the group in the process is read. */
  public Waiting linkWaiting(Place place) {
    Waiting reader = waiting(place, Task.LINK_READER);
    return reader == null ? waiting(place) : reader;
  }

  /** What a thread does at rest; null if there is none. */
  private Waiting waiting(Place place, Task task) {
    if (!has(place, task)) {
      return null;
    }
    return spins(place, task) ? Waiting.SPIN : Waiting.BLOCK;
  }

  /** The threads that a group in the process has beside its own. */
  public ThreadOptions options(Place place, int replyQueueDepth) {
    return new ThreadOptions()
        .setPersister(waiting(place, Task.PERSISTER))
        .setSender(waiting(place, Task.REPLICATION_SENDER))
        .setDispatcher(waiting(place, Task.DISPATCHER))
        .setReplies(waiting(place, Task.BUS_SENDER))
        .setReplyQueueDepth(replyQueueDepth);
  }

  /** Binds the calling thread of a group to its CPUs. */
  public void bind(Place place, GroupDuty duty) {
    switch (duty) {
      case PROCESSOR -> cpus(place, Task.MUX).bind();
      case PERSISTER -> cpus(place, Task.PERSISTER).bind();
      case SENDER -> cpus(place, Task.REPLICATION_SENDER).bind();
      case DISPATCHER -> cpus(place, Task.DISPATCHER).bind();
      case LINK_READER -> cpus(place, Task.LINK_READER).bind();
      case REPLIES -> cpus(place, Task.BUS_SENDER).bind();
      case FEEDER -> {
        // Anywhere: it works rarely.
      }
    }
  }

  /** Threads that spin, in both processes. */
  long spinning() {
    return threads.stream().filter(PlannedThread::spins).count();
  }

  /** One line for people. */
  public String describe() {
    return String.join("; ", threads.stream().map(PlannedThread::toString).toList());
  }
}
