package dev.weir.queue.line;

import dev.weir.queue.Durability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ids of the last messages of a queue, so that a message that is sent again is not added again.
 * Ids are remembered and forgotten packet by packet, because they are written that way.
 */
public final class IdWindow {

  /** The ids of one packet. */
  public static final class Block {
    final long firstSequence;
    private final List<String> ids = new ArrayList<>();
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

    void committed() {
      durability = packet == null ? durability : packet.durability;
      packet = null;
    }

    public Durability durability() {
      return durability;
    }
  }

  /** The message that has an id: the ids of its packet, and its index there. */
  public record Use(Block block, int index) {}

  /** The ids of a packet as they are written. */
  public record Written(long firstSequence, long lastMs, List<String> ids) {}

  private final int maxIds;
  private final long windowMs;
  private final Map<String, Use> uses = new HashMap<>();
  private final ArrayDeque<Block> blocks = new ArrayDeque<>();
  private List<Long> gone = new ArrayList<>();

  /**
   * @param maxIds number of the last ids that are remembered; 0 for none
   * @param windowMs an id is remembered at least this long, while it is among the last {@code
   *     maxIds}
   */
  public IdWindow(int maxIds, long windowMs) {
    this.maxIds = maxIds;
    this.windowMs = windowMs;
  }

  /** Adds ids found on disk; called in the order of sequences. */
  public void recover(Written found) {
    Block block = new Block(found.firstSequence());
    block.lastMs = found.lastMs();
    block.onDisk = true;
    block.durability = Durability.PROCESS;
    blocks.add(block);
    found.ids().forEach(id -> add(block, id, 0));
  }

  public boolean isOff() {
    return maxIds == 0;
  }

  /** The message that has an id, or null. */
  public Use find(String id, long nowMs) {
    forget(nowMs);
    return uses.get(id);
  }

  /** Remembers the id of the message that was added last to a packet. */
  public void add(String id, Packet<?> packet, long nowMs) {
    Block block = packet.ids;
    if (block == null || block.forgotten) {
      block = new Block(packet.firstSequence);
      block.packet = packet;
      packet.ids = block;
      blocks.add(block);
    }
    block.lastMs = Math.max(block.lastMs, nowMs);
    add(block, id, packet.count - 1);
  }

  private void add(Block block, String id, int index) {
    block.ids.add(id);
    uses.put(id, new Use(block, index));
  }

  /** Forgets the id of a message that was refused after it was added. */
  void remove(String id, Packet<?> packet) {
    Use use = uses.get(id);
    if (use != null && use.block == packet.ids) {
      uses.remove(id);
      use.block.ids.remove(id);
    }
  }

  private void forget(long nowMs) {
    while (!blocks.isEmpty() && isOver(blocks.peek(), nowMs)) {
      Block block = blocks.poll();
      block.forgotten = true;
      block.ids.forEach(id -> forget(id, block));
      if (block.onDisk) {
        gone.add(block.firstSequence);
      }
    }
  }

  private boolean isOver(Block block, long nowMs) {
    return uses.size() - block.ids.size() >= maxIds || nowMs - block.lastMs > windowMs;
  }

  private void forget(String id, Block block) {
    Use use = uses.get(id);
    if (use != null && use.block == block) {
      uses.remove(id);
    }
  }

  int size() {
    return uses.size();
  }

  public boolean wantsUpkeep() {
    return !gone.isEmpty();
  }

  /** Takes the first sequences of the packets whose ids are to be deleted from disk. */
  public List<Long> takeGone() {
    List<Long> taken = gone;
    gone = new ArrayList<>();
    return taken;
  }

  public void giveBack(List<Long> taken) {
    gone.addAll(taken);
  }

  /** The ids to write together with a packet, null for none. */
  public static Written beginWrite(Packet<?> packet) {
    Block block = packet.ids;
    if (block == null || block.forgotten || block.ids.isEmpty()) {
      return null;
    }
    block.onDisk = true;
    return new Written(block.firstSequence, block.lastMs, List.copyOf(block.ids));
  }
}
