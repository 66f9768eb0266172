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
   * @param heapBytes what all ids of the member are to take together
   */
  public IdRoom(long heapBytes) {
    this.heapBytes = heapBytes;
  }

  /** One more replica remembers ids, until the result is closed. */
  public AutoCloseable open() {
    replicas.incrementAndGet();
    return replicas::decrementAndGet;
  }

  /** What the ids of one replica are to take. */
  long replicaBytes() {
    return heapBytes / Math.max(1, replicas.get());
  }

  /**
   * Logs, once, that a group forgets replies and ids before there are as many ids as it may
   * remember.
   *
   * @param ids for how many there is room, about
   */
  void tooSmall(String group, long ids, int max) {
    if (!reported.getAndSet(true)) {
      LOG.warn(
          "group {} has heap for about {} ids, and not for {} as dedupMaxIds says:"
              + " all ids on this member have {} MiB, each of {} replicas the same part. So"
              + " replies are forgotten first: a message that is sent again then fails with"
              + " FORGOTTEN. Later its id is forgotten too: then the message is applied again. This"
              + " is logged once for all groups of the member",
          group,
          ids,
          max,
          heapBytes >> 20,
          replicas);
    }
  }
}
