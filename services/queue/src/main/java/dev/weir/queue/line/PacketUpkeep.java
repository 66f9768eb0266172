package dev.weir.queue.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The packets whose records on disk are out of date: those to delete, and those whose progress is
 * to be written.
 *
 * @param <T> the message type
 */
public final class PacketUpkeep<T> {
  private List<Packet<T>> deletes = new ArrayList<>();
  private List<Packet<T>> dirty = new ArrayList<>();

  public boolean isEmpty() {
    return deletes.isEmpty() && dirty.isEmpty();
  }

  /**
   * Called when every message of the packet is settled. If the packet is still being written, the
   * call is repeated after the write.
   */
  void delete(Packet<T> packet) {
    if (packet.beginDelete()) {
      deletes.add(packet);
    }
  }

  /**
   * Called when messages of the packet were delivered or settled. The progress of a packet with
   * nothing to keep is not written: the next opening deletes the packet whatever it says.
   */
  void progressed(Packet<T> packet) {
    if (packet.onDisk() && packet.key.keep() > 0 && !packet.dirty) {
      packet.dirty = true;
      dirty.add(packet);
    }
  }

  /** Takes the packets to delete. */
  public List<Packet<T>> takeDeletes() {
    if (deletes.isEmpty()) {
      return List.of();
    }
    List<Packet<T>> taken = deletes;
    deletes = new ArrayList<>();
    return taken;
  }

  /**
   * Takes the packets whose progress is to be written.
   *
   * @param not packets that are left for later
   */
  public List<Packet<T>> takeDirty(Set<Packet<T>> not) {
    if (dirty.isEmpty()) {
      return List.of();
    }
    List<Packet<T>> taken = dirty;
    dirty = new ArrayList<>();
    taken.forEach(packet -> packet.dirty = false);
    taken.removeIf(Packet::allSettled);
    if (!not.isEmpty() && taken.removeIf(not::contains)) {
      not.forEach(this::progressed);
    }
    return taken;
  }

  /** Called when packets were taken and the write failed. */
  public void abort(List<Packet<T>> takenDeletes, List<Packet<T>> takenDirty) {
    deletes.addAll(takenDeletes);
    takenDirty.forEach(this::progressed);
  }
}
