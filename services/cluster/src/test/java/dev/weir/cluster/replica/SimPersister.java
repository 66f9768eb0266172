package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.log.Persister;
import dev.weir.cluster.threads.GroupCallbacks;
import dev.weir.cluster.threads.GroupThreads;

/** The thread that writes the log of a simulated process, at moments that the seed decides. */
final class SimPersister implements GroupCallbacks {
  private static final long MS = SimWorld.MS;

  private final SimWorld world;
  private final SimProcess process;
  private final Persister log;

  /** The holder of the group's lock waits for the thread. */
  private boolean waitedFor;

  SimPersister(SimWorld world, SimProcess process, SimDisk disk, GroupOptions options) {
    this.world = world;
    this.process = process;
    GroupThreads threads = new GroupThreads(options, duty -> {});
    threads.connect(this);
    log = new Persister(disk, options, threads, this::workForCaller);
    work();
  }

  Persister log() {
    return log;
  }

  private void workForCaller() {
    waitedFor = true;
    log.work();
    waitedFor = false;
  }

  private void work() {
    if (!process.isDead()) {
      process.whileRunning(log::work);
      world.after(world.between(MS / 10, world.once(30) ? 60 * MS : 5 * MS), this::work);
    }
  }

  @Override
  public boolean hasNews() {
    return true;
  }

  @Override
  public boolean collect(long waitNs) {
    if (!waitedFor) {
      process.takeIn();
    }
    return !waitedFor;
  }

  @Override
  public void failed(String what, Throwable cause) {
    throw world.broken(what, cause);
  }
}
