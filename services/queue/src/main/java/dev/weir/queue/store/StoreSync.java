package dev.weir.queue.store;

import dev.weir.options.HeapExhaustion;
import dev.weir.queue.je.JeFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The duty of the thread that forces the log to the device. The writer thread commits to the
 * operating system and goes on with other queues; whoever asked for more waits here. While one sync
 * runs, the next group gathers.
 */
final class StoreSync implements StoreThread.Duty {
  private static final Logger LOG = LoggerFactory.getLogger(StoreSync.class);

  /**
   * One who waits for a sync.
   *
   * @param isOfLog true if the log alone is enough, without the segments
   */
  private record Waiter(Consumer<Throwable> done, boolean isOfLog) {}

  private final ConcurrentLinkedQueue<Waiter> waiting = new ConcurrentLinkedQueue<>();
  private final JeFiles files;
  private volatile boolean stopped;

  StoreSync(JeFiles files) {
    this.files = files;
  }

  /**
   * Adds one who waits until everything that is committed now is on the device. The thread is to be
   * woken then.
   *
   * @param isOfLog true if the log alone is enough, without the segments
   * @param done called with the failure, or null: on the sync thread, or once that has ended on the
   *     thread that stops or calls this
   */
  void add(boolean isOfLog, Consumer<Throwable> done) {
    waiting.add(new Waiter(done, isOfLog));
    if (stopped) {
      run();
    }
  }

  /**
   * Syncs for those who still wait; the sync thread has ended. Whoever comes later is served by the
   * calling thread, and fails once the files are closed.
   */
  void stop() {
    stopped = true;
    run();
  }

  @Override
  public long run() {
    List<Waiter> group = new ArrayList<>();
    boolean isOfLog = true;
    for (Waiter next = waiting.poll(); next != null; next = waiting.poll()) {
      group.add(next);
      isOfLog &= next.isOfLog;
    }
    if (group.isEmpty()) {
      return files.writeMark();
    }
    Throwable failure = force(isOfLog);
    // Whoever waits for the log deletes files then: senders do not wait for that.
    group.stream().filter(each -> !each.isOfLog).forEach(each -> complete(each.done, failure));
    group.stream().filter(Waiter::isOfLog).forEach(each -> complete(each.done, failure));
    return 0;
  }

  /** What one of a group throws is not the affair of the others. */
  private static void complete(Consumer<Throwable> done, Throwable failure) {
    try {
      done.accept(failure);
    } catch (RuntimeException | Error e) {
      HeapExhaustion.report(e);
      LOG.error("the result of a sync could not be handled", e);
    }
  }

  private Throwable force(boolean isOfLog) {
    files.beginUse();
    try {
      files.force(!isOfLog);
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    } finally {
      files.endUse();
    }
  }
}
