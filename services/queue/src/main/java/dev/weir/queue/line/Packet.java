package dev.weir.queue.line;

import dev.weir.queue.Completion;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;

/**
 * Consecutive messages that are written, read and deleted as one record. Guarded by its queue's
 * lock, except that the writer thread encodes a {@link #writing} packet, whose messages stay in
 * place then.
 *
 * @param <T> the message type
 */
public final class Packet<T> {
  /** Set in a message's progress byte once it is acknowledged, dropped or refused. */
  public static final int SETTLED = 0x80;

  /** The rest of a progress byte: deliveries so far, saturating. */
  public static final int MAX_DELIVERIES = Delivery.MAX_COUNT;

  /** Flags of a message: of no use after a restart. */
  public static final byte TRANSIENT = 1;

  public final long firstSequence;
  public int count;
  public int bytes = RecordSizes.PACKET_HEADER_BYTES;
  public Object[] messages = new Object[8];
  public byte[] flags = new byte[8];
  public byte[] progress = new byte[8];

  /** Bytes of each message's body. */
  public int[] sizes = new int[8];

  /** Null as long as no message has any. */
  MessageOptions[] options;

  /** The ids of its messages, null if none is to be remembered. */
  IdWindow.Block ids;

  /** Null as long as no message has one. */
  Object[] attachments;

  /** Null as long as no message asks for durability. */
  public Completion[] completions;

  /** The messages that the serde could not write, or not read; null if there is none. */
  public BitSet broken;

  public Durability durability = Durability.NONE;

  /** Messages that are of use after a restart. */
  int keeps;

  /** Index of the next message to deliver. */
  int next;

  public int settled;

  /** The key it was committed under, null while it was not. */
  public PacketKey key;

  /** The key of the last attempt to write it, which may have reached the disk even if it failed. */
  PacketKey writeKey;

  /** Keys of earlier attempts that differ from it; they are deleted with the next. */
  public Set<PacketKey> oldKeys = Set.of();

  /** No message is added any more. */
  boolean sealed;

  /** The writer thread is writing it. */
  boolean writing;

  /** In the list of packets whose progress changed. */
  boolean dirty;

  /** A progress record of it may be on disk. */
  public boolean progressOnDisk;

  /** The consumer took it before it was written, but it has to be written after all. */
  boolean returned;

  /** Done with: its bytes are not counted any more. */
  boolean removed;

  /** Done with, and to be deleted from disk. */
  boolean deleting;

  public Packet(long firstSequence) {
    this.firstSequence = firstSequence;
  }

  /** A packet read back. */
  public Packet(PacketKey key, Object[] messages, byte[] flags, byte[] progress) {
    this.firstSequence = key.firstSequence();
    this.key = key;
    this.writeKey = key;
    this.count = key.count();
    this.bytes = key.bytes();
    this.messages = messages;
    this.flags = flags;
    this.progress = progress;
    this.sizes = new int[count];
    this.sealed = true;
  }

  public void add(T message, int sizeBytes, MessageOptions its, byte flag, Object attachment) {
    if (count == messages.length) {
      grow(count * 2);
    }
    if (its != null) {
      setOptions(count, its);
      bytes += RecordSizes.optionsBytes(its);
    }
    messages[count] = message;
    sizes[count] = sizeBytes;
    flags[count] = flag;
    keeps += flag == TRANSIENT ? 0 : 1;
    if (attachment != null) {
      if (attachments == null) {
        attachments = new Object[messages.length];
      }
      attachments[count] = attachment;
    }
    bytes += RecordSizes.MESSAGE_HEADER_BYTES + sizeBytes;
    count++;
  }

  public void setOptions(int index, MessageOptions its) {
    if (options == null) {
      options = new MessageOptions[messages.length];
    }
    options[index] = its;
  }

  /** Null if it has none. */
  public MessageOptions options(int index) {
    return options == null ? null : options[index];
  }

  private void grow(int capacity) {
    messages = Arrays.copyOf(messages, capacity);
    sizes = Arrays.copyOf(sizes, capacity);
    flags = Arrays.copyOf(flags, capacity);
    progress = Arrays.copyOf(progress, capacity);
    options = options == null ? null : Arrays.copyOf(options, capacity);
    attachments = attachments == null ? null : Arrays.copyOf(attachments, capacity);
    completions = completions == null ? null : Arrays.copyOf(completions, capacity);
  }

  /** Asks for durability of the message added last. */
  void require(Durability level, Completion completion) {
    if (completions == null) {
      completions = new Completion[messages.length];
    }
    completions[count - 1] = completion;
    raise(level);
  }

  /** Asks once more for the durability of a message, for one more sender. */
  void requireToo(int index, Durability level, Completion too) {
    if (completions == null) {
      completions = new Completion[messages.length];
    }
    Completion first = completions[index];
    completions[index] =
        first == null
            ? too
            : failure -> {
              Tell.completed(first, failure);
              too.complete(failure);
            };
    raise(level);
  }

  private void raise(Durability level) {
    if (level.compareTo(durability) > 0) {
      durability = level;
    }
  }

  void beginWrite() {
    sealed = true;
    writing = true;
  }

  /** Names the record of this attempt to write it. */
  public void attempt(PacketKey attempted) {
    if (writeKey != null && !writeKey.equals(attempted)) {
      oldKeys = new HashSet<>(oldKeys);
      oldKeys.add(writeKey);
      oldKeys.remove(attempted);
    }
    writeKey = attempted;
  }

  void endWrite() {
    writing = false;
    key = writeKey;
    oldKeys = Set.of();
  }

  boolean onDisk() {
    return key != null;
  }

  /** May be delivered: nothing in it waits for a commit. */
  boolean deliverable() {
    return durability == Durability.NONE || onDisk();
  }

  public boolean isTransient(int index) {
    return (flags[index] & TRANSIENT) != 0;
  }

  public boolean isSettled(int index) {
    return (progress[index] & SETTLED) != 0;
  }

  public boolean allSettled() {
    return settled == count;
  }

  public int unsettled() {
    return count - settled;
  }

  /** Marks a message as done with; false if it was already. */
  public boolean settle(int index) {
    if (isSettled(index)) {
      return false;
    }
    progress[index] |= (byte) SETTLED;
    settled++;
    if (!writing && messages != null) {
      messages[index] = null;
    }
    return true;
  }

  public int deliveries(int index) {
    return progress[index] & MAX_DELIVERIES;
  }

  /** Counts one more delivery. */
  public void delivered(int index) {
    if (deliveries(index) < MAX_DELIVERIES) {
      progress[index]++;
    }
  }

  /**
   * A message for the consumer. It stays in memory as long as it may have to be written, which only
   * one that is to be kept and not yet on disk does.
   */
  T take(int index) {
    T message = message(index);
    if (!writing && (onDisk() || isTransient(index))) {
      messages[index] = null;
    }
    return message;
  }

  @SuppressWarnings("unchecked")
  public T message(int index) {
    return (T) messages[index];
  }

  Object attachment(int index) {
    return attachments == null ? null : attachments[index];
  }

  public boolean isBroken(int index) {
    return broken != null && broken.get(index);
  }

  public void setBroken(int index) {
    if (broken == null) {
      broken = new BitSet(count);
    }
    broken.set(index);
  }

  /** Forgets the messages, which are on disk or done with. */
  void releaseMemory() {
    messages = null;
    sizes = null;
    options = null;
    attachments = null;
  }
}
