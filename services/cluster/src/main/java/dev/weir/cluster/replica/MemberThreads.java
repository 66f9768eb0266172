package dev.weir.cluster.replica;

import dev.weir.cluster.GroupOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads that the groups of a member share, as many however many groups there are: those that
 * let time pass, and those that feed other members and write snapshots. They start with the first
 * group. A group is served by one thread of each kind at a time. Any thread.
 */
public final class MemberThreads implements AutoCloseable {
  private static final int MIN_TICKERS = 2;
  private static final int MAX_TICKERS = 4;
  private static final int FEEDERS = 2;

  private final String member;
  private final List<TickThread> tickers = new ArrayList<>();
  private FeedThreads feeders;

  /**
   * @param member its name, for the names of threads
   */
  public MemberThreads(String member) {
    this.member = member;
  }

  /** What drives a replica that has no thread of its own; it does not run yet. */
  public synchronized GroupDriver driver(GroupReplica replica, GroupOptions options) {
    if (feeders == null) {
      feeders = new FeedThreads("weir-feed-" + member, FEEDERS);
      int cpus = Runtime.getRuntime().availableProcessors();
      int count = Math.max(MIN_TICKERS, Math.min(MAX_TICKERS, cpus));
      for (int i = 0; i < count; i++) {
        tickers.add(new TickThread("weir-tick-" + member + "-" + i));
      }
    }
    TickThread ticker = tickers.get(Math.floorMod(options.getName().hashCode(), tickers.size()));
    FeedThreads.Feeding feeding = feeders.add(replica);
    TickThread.Ticking ticking = ticker.ticking(replica, options, feeding::wake);
    return new GroupDriver() {
      @Override
      public void start() {
        replica.catchUpSteps().onWork(feeding::wake);
        ticking.start();
      }

      @Override
      public void stop() {
        ticking.close();
        feeding.close();
      }
    };
  }

  /** Ends the threads, after the groups are closed. */
  @Override
  public synchronized void close() {
    tickers.forEach(TickThread::end);
    if (feeders != null) {
      feeders.end();
    }
  }
}
