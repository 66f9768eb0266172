package dev.weir.cluster.replica;

import dev.weir.cluster.GroupDuty;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.MessageSource;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.Transport;
import java.util.concurrent.locks.LockSupport;

/** The two threads of a replica that shares none. */
public final class OwnThreads implements GroupDriver {
  private final GroupReplica replica;
  private final GroupThreads threads;
  private final GroupThread duty;
  private final Thread first;
  private final Thread second;

  /**
   * @param source polled by the first thread; may be null
   */
  public OwnThreads(
      GroupReplica replica,
      Transport transport,
      MessageSource source,
      GroupThreads threads,
      GroupOptions options) {
    this.replica = replica;
    this.threads = threads;
    this.duty = new GroupThread(replica, transport, source, threads, options);
    this.first = new Thread(duty, "weir-group-" + options.getName());
    this.second = new Thread(this::feed, "weir-feed-" + options.getName());
  }

  private void feed() {
    threads.begin(GroupDuty.FEEDER);
    replica.catchUpSteps().run();
  }

  @Override
  public void start() {
    first.start();
    second.start();
  }

  @Override
  public void stop() {
    duty.close();
    LockSupport.unpark(first);
    replica.catchUpSteps().end();
    join(first);
    join(second);
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
