package dev.weir.queue;

import java.util.Arrays;

/**
 * Consecutive messages that are written, read and deleted as one record. Guarded by its queue's
 * lock, except that the writer thread encodes a {@link #writing} packet, which nobody changes then.
 *
 * @param <T> the message type
 */
final class Packet<T> {
  /** Set in a message's progress byte once it is acknowledged, dropped or refused. */
  static final int SETTLED = 0x80;

  /** The rest of a progress byte: deliveries so far, saturating. */
  static final int MAX_DELIVERIES = 0x7f;

  static final byte TRANSIENT = 1;

  final long firstSequence;
  int count;
  int bytes = PacketCodec.HEADER_BYTES;
  Object[] messages = new Object[8];
  byte[] flags = new byte[8];
  byte[] progress = new byte[8];

  /** Null as long as no message has one. */
  Object[] attachments;

  /** Null as long as no message asks for durability. */
  Completion[] completions;

  Durability durability = Durability.NONE;

  /** Index of the next message to deliver. */
  int next;

  int settled;

  /** The key it was committed under, null while it was not. */
  PacketKey key;

  /** The key of the first attempt to write it; later attempts use the same. */
  PacketKey writeKey;

  /** No message is added any more. */
  boolean sealed;

  /** The writer thread is writing it. */
  boolean writing;

  /** In the list of packets whose progress changed. */
  boolean dirty;

  /** A progress record of it is on disk. */
  boolean progressOnDisk;

  Packet(long firstSequence) {
    this.firstSequence = firstSequence;
  }

  /** A packet read back. */
  Packet(PacketKey key, Object[] messages, byte[] flags, byte[] progress) {
    this.firstSequence = key.firstSequence();
    this.key = key;
    this.count = key.count();
    this.bytes = key.bytes();
    this.messages = messages;
    this.flags = flags;
    this.progress = progress;
    this.sealed = true;
  }

  void add(T message, int sizeBytes, byte flag, Object attachment) {
    if (count == messages.length) {
      int capacity = count * 2;
      messages = Arrays.copyOf(messages, capacity);
      flags = Arrays.copyOf(flags, capacity);
      progress = Arrays.copyOf(progress, capacity);
      attachments = attachments == null ? null : Arrays.copyOf(attachments, capacity);
      completions = completions == null ? null : Arrays.copyOf(completions, capacity);
    }
    messages[count] = message;
    flags[count] = flag;
    if (attachment != null) {
      if (attachments == null) {
        attachments = new Object[messages.length];
      }
      attachments[count] = attachment;
    }
    bytes += PacketCodec.MESSAGE_HEADER_BYTES + sizeBytes;
    count++;
  }

  /** Asks for durability of the message added last. */
  void require(Durability level, Completion completion) {
    if (completions == null) {
      completions = new Completion[messages.length];
    }
    completions[count - 1] = completion;
    if (level.compareTo(durability) > 0) {
      durability = level;
    }
  }

  void beginWrite() {
    sealed = true;
    writing = true;
    if (writeKey == null) {
      writeKey = new PacketKey(firstSequence, count, keepCount(), bytes);
    }
  }

  /** It is committed, or may be: an attempt that failed can have reached the disk. */
  void endWrite() {
    writing = false;
    key = writeKey;
  }

  boolean onDisk() {
    return key != null;
  }

  /** May be delivered: nothing in it waits for a commit. */
  boolean deliverable() {
    return durability == Durability.NONE || onDisk();
  }

  boolean isSettled(int index) {
    return (progress[index] & SETTLED) != 0;
  }

  boolean allSettled() {
    return settled == count;
  }

  /** Marks a message as done with; false if it was already. */
  boolean settle(int index) {
    if (isSettled(index)) {
      return false;
    }
    progress[index] |= (byte) SETTLED;
    settled++;
    return true;
  }

  int deliveries(int index) {
    return progress[index] & MAX_DELIVERIES;
  }

  void countDelivery(int index) {
    if (deliveries(index) < MAX_DELIVERIES) {
      progress[index]++;
    }
  }

  @SuppressWarnings("unchecked")
  T message(int index) {
    return (T) messages[index];
  }

  Object attachment(int index) {
    return attachments == null ? null : attachments[index];
  }

  /** Messages worth reading after a restart, as things stand. */
  private int keepCount() {
    int keep = 0;
    for (int i = 0; i < count; i++) {
      if (!isSettled(i) && (flags[i] & TRANSIENT) == 0) {
        keep++;
      }
    }
    return keep;
  }

  /** Forgets the messages, which are on disk. */
  void releaseMemory() {
    messages = null;
    attachments = null;
  }
}
