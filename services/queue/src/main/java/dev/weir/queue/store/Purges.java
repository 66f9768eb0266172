package dev.weir.queue.store;

import dev.weir.queue.QueueException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The running purges of a queue. Guarded by the queue's lock. */
final class Purges {

  /** One purge. */
  public static final class Purge {
    public final CompletableFuture<Long> done = new CompletableFuture<>();
    private final long before;
    private boolean deferredDone;

    /** True while a transaction with all deletes of this purge is being written. */
    private boolean inWriting;

    /** True if that transaction is committed. */
    private boolean written;

    private Purge(long before) {
      this.before = before;
    }
  }

  private final List<Purge> running = new ArrayList<>();

  /** True while a transaction is being written. */
  private boolean writing;

  /**
   * @param before messages purged so far
   */
  public Purge begin(long before) {
    Purge purge = new Purge(before);
    running.add(purge);
    return purge;
  }

  public void endDeferred(Purge purge) {
    purge.deferredDone = true;
  }

  public void remove(Purge purge) {
    running.remove(purge);
  }

  /** The futures of the purges that run now. */
  public List<CompletableFuture<Long>> running() {
    return running.stream().map(purge -> purge.done).toList();
  }

  public boolean isEmpty() {
    return running.isEmpty();
  }

  /**
   * Called when deletes are taken into a transaction.
   *
   * @param allTaken true if no message waits in a packet that a purge is to delete, and all deletes
   *     so far are taken
   */
  public void beginWrite(boolean allTaken) {
    writing = true;
    running.forEach(purge -> purge.inWriting = allTaken && purge.deferredDone);
  }

  /** Called when the transaction is committed. */
  public void endWrite() {
    writing = false;
    running.forEach(purge -> purge.written |= purge.inWriting);
  }

  /** Called when the transaction failed. */
  public void abortWrite() {
    writing = false;
    running.forEach(purge -> purge.inWriting = false);
  }

  /**
   * Takes the purges that are over: all that they delete is committed.
   *
   * @param linePurged true if no message waits in a packet that a purge is to delete
   * @param nothingToWrite true if no delete is left to be written
   * @param purged messages purged so far
   * @return what completes the purges, to be run without the lock
   */
  public List<Runnable> takeDone(boolean linePurged, boolean nothingToWrite, long purged) {
    List<Runnable> done = new ArrayList<>();
    running.removeIf(
        purge -> {
          boolean nothingLeft = !writing && nothingToWrite && linePurged && purge.deferredDone;
          boolean over = purge.written || nothingLeft;
          if (over) {
            done.add(() -> purge.done.complete(purged - purge.before));
          }
          return over;
        });
    return done;
  }

  /** Fails all running purges; the result is to be run without the lock. */
  public List<Runnable> fail(QueueException failure) {
    List<Runnable> failed = new ArrayList<>();
    running.forEach(purge -> failed.add(() -> purge.done.completeExceptionally(failure)));
    running.clear();
    return failed;
  }
}
