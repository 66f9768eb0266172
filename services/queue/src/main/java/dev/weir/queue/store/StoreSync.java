package dev.weir.queue.store;

import dev.weir.queue.je.JeFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The duty of the thread that forces the log to the device. The writer thread commits to the
 * operating system and goes on with other queues; whoever asked for more waits here. While one sync
 * runs, the next group gathers.
 */
final class StoreSync implements StoreThread.Duty {
  private final ConcurrentLinkedQueue<Consumer<Throwable>> waiting = new ConcurrentLinkedQueue<>();
  private final JeFiles files;

  StoreSync(JeFiles files) {
    this.files = files;
  }

  /**
   * Adds one who waits until everything that is committed now is on the device. The thread is to be
   * woken then.
   *
   * @param done called on the sync thread with the failure, or null
   */
  void add(Consumer<Throwable> done) {
    waiting.add(done);
  }

  @Override
  public long run() {
    List<Consumer<Throwable>> group = new ArrayList<>();
    for (Consumer<Throwable> next = waiting.poll(); next != null; next = waiting.poll()) {
      group.add(next);
    }
    if (group.isEmpty()) {
      return StoreThread.FOREVER;
    }
    Throwable failure = force();
    group.forEach(done -> done.accept(failure));
    return 0;
  }

  private Throwable force() {
    files.beginUse();
    try {
      files.force();
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    } finally {
      files.endUse();
    }
  }
}
