package dev.weir.group.apply;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heap in which the replicas of one member remember ids, in equal parts. Backups hold what
 * their primary remembers, so they count too. Any thread.
 */
public final class IdRoom {
  private static final Logger LOG = LoggerFactory.getLogger(IdRoom.class);

  private final long heapBytes;
  private final AtomicInteger replicas = new AtomicInteger();
  private final AtomicBoolean reported = new AtomicBoolean();

  /**
   * @param heapBytes what all ids of the member may take together
   */
  public IdRoom(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  /** One more replica remembers ids, until the result is closed. */
  public AutoCloseable open() {
    replicas.incrementAndGet();
    return replicas::decrementAndGet;
  }

  /** What the ids of one replica may take. */
  long replicaBytes() {
    return heapBytes / Math.max(1, replicas.get());
  }

  /** Logs, once, that a group forgets ids before there are as many as it may remember. */
  void tooSmall(String group, long ids, int max) {
    if (!reported.getAndSet(true)) {
      LOG.warn(
          "group {} remembers its last {} ids, and not {} as dedupMaxIds says: all ids on this"
              + " member have {} MiB of the heap, each of {} replicas the same part. A message that"
              + " is sent again later than that is applied again. It is so for other groups too,"
              + " and logged once",
          group,
          ids,
          max,
          heapBytes >> 20,
          replicas);
    }
  }
}
