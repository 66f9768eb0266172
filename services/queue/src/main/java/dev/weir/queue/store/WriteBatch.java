package dev.weir.queue.store;

import dev.weir.queue.Durability;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.line.DetachedBatch;
import dev.weir.queue.line.Packet;
import java.util.List;

/**
 * What the writer thread is to put in one transaction for one queue.
 *
 * @param deletes packets to delete
 * @param dirty packets whose progress is to be written
 * @param detached what is to be put in the other tables
 */
public record WriteBatch<T>(
    StoredQueue<T> queue,
    List<Packet<T>> packets,
    List<Packet<T>> deletes,
    List<Packet<T>> dirty,
    DetachedBatch<T> detached) {

  /**
   * The size from which on a packet goes to a segment; 0 for none. A segment is one file more to
   * force, which costs more than small packets are worth.
   */
  int leastForSegment(QueueStoreOptions options) {
    int least = options.getSegmentThresholdBytes();
    long togetherBytes = packets.stream().mapToLong(packet -> packet.bytes).sum();
    boolean isEnough = togetherBytes >= (long) QueueStoreOptions.FORCED_FACTOR * least;
    return isEnough || durability() != Durability.MACHINE ? least : 0;
  }

  boolean isEmpty() {
    return packets.isEmpty() && deletes.isEmpty() && dirty.isEmpty() && detached.isEmpty();
  }

  /**
   * How safe it has to be. An acknowledgement of messages that outlive a restart has to survive the
   * process, or they would be delivered again. So has the deletion of a record that a failed
   * attempt has left: it may hold messages that were refused then.
   */
  Durability durability() {
    Durability durability = Durability.NONE;
    boolean replaces = false;
    for (Packet<T> packet : packets) {
      durability = packet.durability.compareTo(durability) > 0 ? packet.durability : durability;
      replaces |= !packet.oldKeys.isEmpty();
    }
    boolean acknowledges =
        replaces || anyToKeep(deletes) || anyToKeep(dirty) || !detached.isEmpty();
    return durability == Durability.NONE && acknowledges ? Durability.PROCESS : durability;
  }

  private boolean anyToKeep(List<Packet<T>> acknowledged) {
    for (Packet<T> packet : acknowledged) {
      if (packet.key.keep() > 0) {
        return true;
      }
    }
    return false;
  }

  /** Called when the batch is committed. */
  void end(long writtenBytes) {
    queue.writing().end(this, writtenBytes);
  }

  /** See {@link QueueWriting#endForce}. */
  boolean endForce(boolean isForced) {
    return queue.writing().endForce(this, isForced);
  }

  /** See {@link QueueWriting#abortForce}. */
  boolean abortForce() {
    return queue.writing().abortForce(this);
  }

  void abort() {
    queue.writing().abort(this);
  }
}
