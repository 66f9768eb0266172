package dev.weir.queue.line;

import dev.weir.options.ByteBudget;
import dev.weir.queue.Durability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ids of the last messages of a queue, so that a message that is sent again is not added again.
 * Ids are remembered and forgotten packet by packet, because they are written that way.
 */
public final class IdWindow {

  /** The ids of one packet. */
  public static final class Block {
    final long firstSequence;
    private final List<Name> names = new ArrayList<>();
    private long lastMs;
    private boolean onDisk;
    private boolean forgotten;

    /** The packet until it is committed, then null. */
    private Packet<?> packet;

    /** Durability of the commit. */
    private Durability durability = Durability.NONE;

    private Block(long firstSequence) {
      this.firstSequence = firstSequence;
    }

    /** The packet if it is not committed and not settled, else null. */
    public Packet<?> uncommitted() {
      if (packet != null && packet.allSettled()) {
        packet = null;
      }
      return packet;
    }

    private List<String> written() {
      return names.stream().map(Name::written).toList();
    }

    void committed() {
      if (packet != null) {
        // A transaction that writes ids survives the process.
        durability =
            packet.durability == Durability.MACHINE ? Durability.MACHINE : Durability.PROCESS;
      }
      packet = null;
    }

    public Durability durability() {
      return durability;
    }
  }

  /**
   * An id that is remembered.
   *
   * @param fingerprint stands for the content of the message; null for none
   */
  record Name(String id, String fingerprint) {
    private static final char SEPARATOR = 0;

    /** An id that was written without a fingerprint has none. */
    static Name read(String text) {
      int end = text.lastIndexOf(SEPARATOR);
      if (end < 0) {
        return new Name(text, null);
      }
      String fingerprint = text.substring(end + 1);
      return new Name(text.substring(0, end), fingerprint.isEmpty() ? null : fingerprint);
    }

    String written() {
      boolean plain = fingerprint == null && id.indexOf(SEPARATOR) < 0;
      return plain ? id : id + SEPARATOR + (fingerprint == null ? "" : fingerprint);
    }
  }

  /** The message that has an id: the ids of its packet, its index there, and its name. */
  public record Use(Block block, int index, Name name) {

    /** False if both fingerprints are known and differ. */
    public boolean maybeSameAs(String fingerprint) {
      return fingerprint == null
          || name.fingerprint == null
          || fingerprint.equals(name.fingerprint);
    }
  }

  /**
   * The ids of a packet as they are written: an id, or an id, a NUL character and a fingerprint.
   *
   * @param packet the packet if it is written in the same transaction, else null
   */
  public record Written(long firstSequence, long lastMs, List<String> ids, Packet<?> packet) {

    /**
     * The ids without those of messages that the serde could not write. Called after the packet was
     * encoded. If none is left, the record is to be deleted.
     */
    public List<String> writable() {
      if (packet == null || packet.broken == null) {
        return ids;
      }
      List<String> writable = new ArrayList<>(ids);
      packet.broken.stream()
          .mapToObj(packet::options)
          .filter(its -> its != null && its.id() != null)
          .forEach(its -> writable.remove(new Name(its.id(), its.fingerprint()).written()));
      return writable;
    }
  }

  /** Heap of an id besides its characters. */
  private static final int ID_BYTES = 160;

  /** So many of the last ids are remembered whatever other queues remember. */
  private static final int MIN_IDS = 1000;

  private final int maxIds;
  private final long windowMs;
  private final ByteBudget heap;
  private final Map<String, Use> uses = new HashMap<>();
  private final ArrayDeque<Block> blocks = new ArrayDeque<>();
  private List<Long> gone = new ArrayList<>();

  /** Blocks that may be on disk with an id that was removed since. */
  private Set<Block> changed = new LinkedHashSet<>();

  /** What the last {@link #takeChanged} has taken. */
  private Set<Block> changing = Set.of();

  /**
   * @param maxIds number of the last ids that are remembered; 0 for none
   * @param windowMs an id is remembered at least this long, while it is among the last {@code
   *     maxIds}
   * @param heap what the ids of all queues may take together; the oldest above it are forgotten
   */
  public IdWindow(int maxIds, long windowMs, ByteBudget heap) {
    this.maxIds = maxIds;
    this.windowMs = windowMs;
    this.heap = heap;
  }

  /** Gives the heap of all ids back; called when the queue is closed. */
  public void close() {
    uses.values().forEach(use -> heap.give(bytes(use.name)));
    uses.clear();
    blocks.clear();
  }

  private static long bytes(Name name) {
    return ID_BYTES
        + 2L * (name.id.length() + (name.fingerprint == null ? 0 : name.fingerprint.length()));
  }

  /** Adds ids found on disk; called in the order of sequences. */
  public void recover(Written found) {
    if (isOff()) {
      return;
    }
    Block block = new Block(found.firstSequence());
    block.lastMs = found.lastMs();
    block.onDisk = true;
    block.durability = Durability.PROCESS;
    blocks.add(block);
    found.ids().forEach(text -> add(block, Name.read(text), 0));
    forget(block.lastMs);
  }

  public boolean isOff() {
    return maxIds == 0;
  }

  /** The message that has an id, or null. */
  public Use find(String id, long nowMs) {
    forget(nowMs);
    return uses.get(id);
  }

  /**
   * Remembers the id of the message that was added last to a packet.
   *
   * @param fingerprint null for none
   */
  public void add(String id, String fingerprint, Packet<?> packet, long nowMs) {
    Block block = packet.ids;
    if (block == null || block.forgotten) {
      block = new Block(packet.firstSequence);
      block.packet = packet;
      packet.ids = block;
      blocks.add(block);
    }
    block.lastMs = Math.max(block.lastMs, nowMs);
    add(block, new Name(id, fingerprint), packet.count - 1);
  }

  private void add(Block block, Name name, int index) {
    block.names.add(name);
    heap.take(bytes(name));
    drop(uses.put(name.id, new Use(block, index, name)));
  }

  /** Forgets the id of a message that was refused after it was added. */
  void remove(String id, Packet<?> packet) {
    Use use = uses.get(id);
    if (use != null && use.block == packet.ids) {
      drop(uses.remove(id));
      use.block.names.remove(use.name);
      if (use.block.onDisk) {
        changed.add(use.block);
      }
    }
  }

  private void forget(long nowMs) {
    while (!blocks.isEmpty() && isOver(blocks.peek(), nowMs)) {
      Block block = blocks.poll();
      block.forgotten = true;
      block.names.forEach(name -> forget(name.id, block));
      if (block.onDisk) {
        gone.add(block.firstSequence);
      }
    }
  }

  private boolean isOver(Block block, long nowMs) {
    int others = uses.size() - block.names.size();
    return others >= maxIds
        || nowMs - block.lastMs > windowMs
        || others >= MIN_IDS && heap.usedBytes() > heap.limitBytes();
  }

  private void forget(String id, Block block) {
    Use use = uses.get(id);
    if (use != null && use.block == block) {
      drop(uses.remove(id));
    }
  }

  /** Gives the heap of an id back; null for none. */
  private void drop(Use forgotten) {
    if (forgotten != null) {
      heap.give(bytes(forgotten.name));
    }
  }

  public boolean wantsUpkeep() {
    return !gone.isEmpty() || !changed.isEmpty();
  }

  /**
   * Takes the records to write anew because ids were removed. A packet that is not committed writes
   * its ids itself; until then no record of it may stay.
   */
  public List<Written> takeChanged() {
    if (changed.isEmpty()) {
      changing = Set.of();
      return List.of();
    }
    List<Written> taken = new ArrayList<>();
    for (Block block : changed) {
      if (!block.forgotten) {
        List<String> ids = block.packet == null ? block.written() : List.of();
        taken.add(new Written(block.firstSequence, block.lastMs, ids, null));
      }
    }
    changing = changed;
    changed = new LinkedHashSet<>();
    return taken;
  }

  /** Takes the first sequences of the packets whose ids are to be deleted from disk. */
  public List<Long> takeGone() {
    List<Long> taken = gone;
    gone = new ArrayList<>();
    return taken;
  }

  /** Called when what was taken was not committed. */
  public void giveBack(List<Long> taken) {
    gone.addAll(taken);
    changed.addAll(changing);
  }

  /** The ids to write together with a packet, null for none. */
  public static Written beginWrite(Packet<?> packet) {
    Block block = packet.ids;
    if (block == null || block.forgotten || block.names.isEmpty()) {
      return null;
    }
    block.onDisk = true;
    return new Written(block.firstSequence, block.lastMs, block.written(), packet);
  }
}
