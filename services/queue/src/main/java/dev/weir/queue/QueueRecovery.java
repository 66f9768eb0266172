package dev.weir.queue;

import java.util.Map;

/** What was found of a queue when it was opened. */
final class QueueRecovery {
  private final long nextSequence;
  private final Map<Long, byte[]> progress;
  private long firstSequence;
  private long packets;
  private long alive;
  private long bytes;
  private long transientMessages;

  /**
   * @param nextSequence larger than every sequence used before
   * @param progress progress bytes of partly consumed packets, by first sequence
   */
  QueueRecovery(long nextSequence, Map<Long, byte[]> progress) {
    this.nextSequence = nextSequence;
    this.progress = progress;
  }

  /** Counts a packet, in the order of keys; false if nothing in it is worth reading. */
  boolean add(PacketKey key) {
    transientMessages += key.count() - key.keepCount();
    int messages = alive(key, progress.get(key.firstSequence()));
    if (messages == 0) {
      return false;
    }
    if (packets == 0) {
      firstSequence = key.firstSequence();
    }
    packets++;
    alive += messages;
    bytes += key.bytes();
    return true;
  }

  /** Messages of a packet that are still to be delivered, as far as key and progress tell. */
  static int alive(PacketKey key, byte[] progress) {
    int settled = 0;
    for (int i = 0; progress != null && i < progress.length; i++) {
      settled += (progress[i] & Packet.SETTLED) != 0 ? 1 : 0;
    }
    return Math.min(key.keepCount(), key.count() - settled);
  }

  long nextSequence() {
    return nextSequence;
  }

  Map<Long, byte[]> progress() {
    return progress;
  }

  long firstSequence() {
    return firstSequence;
  }

  long packets() {
    return packets;
  }

  long alive() {
    return alive;
  }

  long bytes() {
    return bytes;
  }

  /** Messages that were of no use after the restart. */
  long transientMessages() {
    return transientMessages;
  }
}
