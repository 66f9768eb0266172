package dev.weir.cluster.threads;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Waiting;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Makes the threads that a group has for single parts of its work, and connects them with it. */
public final class GroupThreads {
  /** Short: what waits for such a thread while it holds the group's lock waits for this. */
  private static final long TELL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final GroupOptions options;
  private final Consumer<GroupDuty> onThread;
  private final boolean mayShare;
  private GroupCallbacks replica;

  /**
   * Threads of a group that shares none.
   *
   * @param onThread called first by each thread
   */
  public GroupThreads(GroupOptions options, Consumer<GroupDuty> onThread) {
    this(options, onThread, false);
  }

  /**
   * @param mayShare whether the group may use threads that others use too
   */
  public GroupThreads(GroupOptions options, Consumer<GroupDuty> onThread, boolean mayShare) {
    this.options = options;
    this.onThread = onThread;
    this.mayShare = mayShare;
  }

  /** Whether the group may use threads that others use too. */
  public boolean mayShare() {
    return mayShare;
  }

  /** Connects them with a replica, before the first is started. */
  public void connect(GroupCallbacks newReplica) {
    replica = newReplica;
  }

  /** A thread that does not run yet. */
  public DutyThread thread(GroupDuty task, Waiting waiting, DutyThread.Duty duty) {
    String name = task.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return new DutyThread(
        "weir-" + name + "-" + options.getName(),
        waiting,
        duty,
        () -> begin(task),
        e -> replica.failed("its " + name + " failed", e));
  }

  /** By each thread of the group, before anything else. */
  public void begin(GroupDuty task) {
    onThread.accept(task);
  }

  /**
   * Has the group take in what a thread has done for it, on the calling thread. A group that spins
   * looks itself.
   *
   * @return false if the group is busy: what it is busy with may wait for the caller, which should
   *     go on, and tell it later
   */
  public boolean tell() {
    return options.getWaiting() == Waiting.SPIN || !replica.hasNews() || replica.collect(TELL_NS);
  }
}
