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
 * Consecutive messages of a queue that are written, read and deleted as one record. A message waits
 * until the packet's cursor has passed it, is then in the hands of a consumer, and ends as settled.
 *
 * <p>Guarded by its queue's lock. Only while the packet is being written, the writer thread reads
 * it without the lock; its messages stay in place for that time.
 *
 * @param <T> the message type
 */
public final class Packet<T> {
  /** Bit of a progress byte: the message is acknowledged, dropped, refused or elsewhere. */
  public static final int SETTLED = 0x80;

  /** The other bits of a progress byte: deliveries so far, at most this number. */
  public static final int MAX_DELIVERIES = Delivery.MAX_COUNT;

  /** Flag of a message that is of no use after a restart. */
  public static final byte TRANSIENT = 1;

  public final long firstSequence;
  public int count;
  public int bytes = RecordSizes.PACKET_HEADER_BYTES;
  public Object[] messages = new Object[8];
  public byte[] flags = new byte[8];
  public byte[] progress = new byte[8];

  /** Size of each message's body in bytes. */
  public int[] sizes = new int[8];

  /** Null while no message has options. */
  MessageOptions[] options;

  /** The ids of the messages that are remembered against duplicates, null for none. */
  IdWindow.Block ids;

  /** Null while no message has an attachment. */
  Object[] attachments;

  /** Senders to complete after the commit, by index; null while no message asks for durability. */
  public Completion[] completions;

  /**
   * Indices of the messages for which a durable sender waits, though another sender was told
   * already that they are accepted; null for none.
   */
  private BitSet accepted;

  /**
   * Indices of the messages that the serde could not write, and of transient ones that it could not
   * read; null for none.
   */
  public BitSet broken;

  /** The strongest durability that a message asks for. */
  public Durability durability = Durability.NONE;

  /** Number of messages that are of use after a restart. */
  int keeps;

  /** Index of the next message to deliver. */
  int next;

  public int settled;

  /** Key of the committed record, null before. */
  public PacketKey key;

  /**
   * Key of the last attempt to write; a failed attempt may have reached the disk. Null for none.
   */
  PacketKey writeKey;

  /** Other keys of failed attempts. The next write deletes their records. */
  public Set<PacketKey> oldKeys = Set.of();

  private PacketState state = PacketState.OPEN;

  /** True while the packet is in the list of those whose progress is to be written. */
  boolean dirty;

  /** True if a crash may have ended deliveries of its messages that were not counted. */
  boolean suspect;

  /** True if a progress record of this packet may be on disk. */
  public boolean progressOnDisk;

  /** True if the packet was taken before it was written, and must be written nevertheless. */
  boolean returned;

  public Packet(long firstSequence) {
    this.firstSequence = firstSequence;
  }

  /** A packet that was read from disk. */
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
    this.state = PacketState.WRITTEN;
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

  /** Asks for the durability of the message added last. */
  void require(Durability level, Completion completion) {
    if (completions == null) {
      completions = new Completion[messages.length];
    }
    completions[count - 1] = completion;
    raise(level);
  }

  /** Adds one more sender who waits for the durability of a message. */
  void join(int index, Durability level, Completion too) {
    if (completions == null) {
      completions = new Completion[messages.length];
    }
    Completion first = completions[index];
    if (first == null) {
      setAccepted(index);
    }
    completions[index] = first == null ? too : UserCallbacks.join(first, too);
    raise(level);
  }

  /** Notes that one more sender is told that a message is accepted, before it is durable. */
  public void accept(int index) {
    if (completions != null && completions[index] != null) {
      setAccepted(index);
    }
  }

  private void setAccepted(int index) {
    if (accepted == null) {
      accepted = new BitSet(count);
    }
    accepted.set(index);
  }

  boolean isAccepted(int index) {
    return accepted != null && accepted.get(index);
  }

  private void raise(Durability level) {
    if (level.compareTo(durability) > 0) {
      durability = level;
    }
  }

  PacketState state() {
    return state;
  }

  boolean isOpen() {
    return state == PacketState.OPEN;
  }

  boolean isWriting() {
    return state.isWriting();
  }

  /** Closes the packet to more messages. */
  void seal() {
    if (state == PacketState.OPEN) {
      state = PacketState.SEALED;
    }
  }

  void beginWrite() {
    seal();
    state = state.to(PacketState.WRITING);
  }

  /** Notes the key of the record that is about to be written. */
  public void attempt(PacketKey attempted) {
    if (writeKey != null && !writeKey.equals(attempted)) {
      oldKeys = new HashSet<>(oldKeys);
      oldKeys.add(writeKey);
      oldKeys.remove(attempted);
    }
    writeKey = attempted;
  }

  /** Called when the packet is committed. */
  void endWrite() {
    key = writeKey;
    oldKeys = Set.of();
    state = state.to(state == PacketState.WRITING_DONE ? PacketState.DONE : PacketState.WRITTEN);
  }

  /** Called when the packet was not committed. */
  void abortWrite() {
    state = state.to(state == PacketState.WRITING_DONE ? PacketState.DONE : PacketState.SEALED);
  }

  /** Notes that every message is settled; false if that was known. */
  boolean finish() {
    if (state.isDone()) {
      return false;
    }
    state = state.to(state == PacketState.WRITING ? PacketState.WRITING_DONE : PacketState.DONE);
    return true;
  }

  /** Begins the deletion of a finished packet; false if no record of it can be on disk. */
  boolean beginDelete() {
    if (state != PacketState.DONE || writeKey == null) {
      return false;
    }
    state = state.to(PacketState.DELETING);
    key = writeKey;
    releaseMemory();
    return true;
  }

  boolean onDisk() {
    return key != null;
  }

  /** True if a write is running or has failed. */
  boolean mayHaveRecord() {
    return writeKey != null || isWriting();
  }

  boolean holds(long sequence) {
    return sequence >= firstSequence && sequence < firstSequence + count;
  }

  /** True if the packet may be delivered: no message in it waits for a commit. */
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

  /** Settles a message; false if it was settled before. */
  public boolean settle(int index) {
    if (isSettled(index)) {
      return false;
    }
    progress[index] |= (byte) SETTLED;
    settled++;
    if (!isWriting() && messages != null) {
      messages[index] = null;
    }
    return true;
  }

  public int deliveries(int index) {
    return progress[index] & MAX_DELIVERIES;
  }

  /** Sets how often a message was delivered, this time included. */
  public void count(int index, int deliveries) {
    int settledBit = progress[index] & SETTLED;
    progress[index] = (byte) (settledBit | Math.min(deliveries, MAX_DELIVERIES));
  }

  /**
   * Takes a message for the consumer. The packet forgets the message unless it may have to be
   * written later: a message that is to be kept and is not on disk.
   */
  Object take(int index) {
    Object body = messages[index];
    if (!isWriting() && (onDisk() || isTransient(index))) {
      messages[index] = null;
    }
    return body;
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

  /** Forgets the messages, which are on disk or settled. */
  void releaseMemory() {
    messages = null;
    sizes = null;
    options = null;
    attachments = null;
  }
}
