package dev.weir.queue.line;

import java.util.ArrayList;
import java.util.List;

/**
 * The packets whose records no longer say what became of them: those to be deleted, and those of
 * which the progress is to be written.
 *
 * @param <T> the message type
 */
public final class PacketUpkeep<T> {
  private List<Packet<T>> deletes = new ArrayList<>();
  private List<Packet<T>> dirty = new ArrayList<>();

  public boolean isEmpty() {
    return deletes.isEmpty() && dirty.isEmpty();
  }

  /** All of it is settled. A packet that is being written comes again when that is over. */
  void delete(Packet<T> packet) {
    if (!packet.writing && packet.writeKey != null && !packet.deleting) {
      packet.deleting = true;
      packet.key = packet.writeKey;
      packet.releaseMemory();
      deletes.add(packet);
    }
  }

  /** Some of it was delivered or settled. */
  void progressed(Packet<T> packet) {
    if (packet.onDisk() && !packet.dirty) {
      packet.dirty = true;
      dirty.add(packet);
    }
  }

  public List<Packet<T>> takeDeletes() {
    if (deletes.isEmpty()) {
      return List.of();
    }
    List<Packet<T>> taken = deletes;
    deletes = new ArrayList<>();
    return taken;
  }

  public List<Packet<T>> takeDirty() {
    if (dirty.isEmpty()) {
      return List.of();
    }
    List<Packet<T>> taken = dirty;
    dirty = new ArrayList<>();
    taken.forEach(packet -> packet.dirty = false);
    taken.removeIf(Packet::allSettled);
    return taken;
  }

  /** They were taken but not committed. */
  public void giveBack(List<Packet<T>> takenDeletes, List<Packet<T>> takenDirty) {
    deletes.addAll(takenDeletes);
    takenDirty.forEach(this::progressed);
  }
}
