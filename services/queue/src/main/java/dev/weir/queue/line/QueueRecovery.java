package dev.weir.queue.line;

import dev.weir.options.ByteBudget;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The packets that were found at the opening of a queue, and the progress of their messages. After
 * the opening, only the reader thread uses it.
 */
public final class QueueRecovery {
  /**
   * After a crash, the deliveries of so many of the first messages are counted on disk before they
   * begin. It may have ended deliveries that were not counted, those of the last {@code
   * ackFlushMs}, and these were deliveries of the first messages. If there were more, those of the
   * others are counted so after the next crash: by then the first messages are acknowledged on
   * disk.
   */
  public static final int SUSPECTS = 4096;

  private final long nextSequence;
  private final Map<Long, PacketProgress> progress;
  private final Set<Long> orphans;
  private long firstSequence;
  private long endSequence;
  private long packets;
  private long alive;
  private long bytes;
  private long transients;

  /** How many of the next messages read are suspects. */
  private int suspects;

  /** Delayed messages in packets with smaller sequences are due. */
  public long releasedBefore;

  /** The deferred messages that were found. */
  public DeferredRecovery detached = new DeferredRecovery();

  public DeadBook dead = new DeadBook();
  public IdWindow ids = new IdWindow(0, 0, new ByteBudget(0));

  /**
   * @param nextSequence larger than every sequence used before
   * @param progress of packets that were consumed in part, by first sequence
   */
  public QueueRecovery(long nextSequence, Map<Long, PacketProgress> progress) {
    this.nextSequence = nextSequence;
    this.progress = progress;
    this.orphans = new HashSet<>(progress.keySet());
  }

  /** Counts a packet; called in the order of keys. False if no message of it is to be delivered. */
  public boolean add(PacketKey key) {
    PacketProgress known = progress.get(key.firstSequence());
    orphans.remove(key.firstSequence());
    transients += known == null ? key.alive() - key.keep() : known.transients();
    int keep = known == null ? key.keep() : known.keep();
    if (keep == 0) {
      return false;
    }
    if (packets == 0) {
      firstSequence = key.firstSequence();
    }
    endSequence = key.endSequence();
    packets++;
    alive += keep;
    bytes += key.bytes();
    return true;
  }

  /** First sequences of the progress records whose packet is gone, after all packets were added. */
  public Set<Long> orphans() {
    return orphans;
  }

  /** Forgets the progress of a packet; true if there was any. */
  public boolean removeProgress(long first) {
    return progress.remove(first) != null;
  }

  /** Number of messages to be delivered of a packet on disk, whenever it was written. */
  public int alive(PacketKey key) {
    if (key.firstSequence() >= nextSequence) {
      return key.alive();
    }
    PacketProgress known = progress.get(key.firstSequence());
    return known == null ? key.keep() : known.keep();
  }

  /** Applies the progress from before this opening to a packet that was read. */
  public void restore(Packet<?> packet) {
    if (packet.firstSequence >= nextSequence) {
      return;
    }
    PacketProgress known = progress.remove(packet.firstSequence);
    packet.progressOnDisk = known != null;
    if (known != null) {
      known.applyTo(packet);
    }
    for (int i = 0; i < packet.count; i++) {
      if (packet.isTransient(i)) {
        packet.settle(i);
      }
    }
    packet.suspect = suspects > 0;
    suspects -= packet.suspect ? packet.unsettled() : 0;
  }

  /** Called before any packet is read if the queue was not closed in order. */
  public void crashed() {
    suspects = SUSPECTS;
    detached.suspects = SUSPECTS;
  }

  public long nextSequence() {
    return nextSequence;
  }

  long firstSequence() {
    return firstSequence;
  }

  long endSequence() {
    return endSequence;
  }

  long packets() {
    return packets;
  }

  public long alive() {
    return alive;
  }

  long bytes() {
    return bytes;
  }

  /** Number of messages that are of no use after a restart. */
  public long transients() {
    return transients;
  }
}
