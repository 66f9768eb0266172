package dev.weir.queue.line;

import dev.weir.queue.Durability;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ids of the last messages of a queue, so that none is added twice, without locks, threads or
 * files. Ids are kept packet by packet, as they are written: an id leaves with the others of its
 * packet, never before its time.
 */
public final class IdWindow {

  /** The ids of one packet. */
  public static final class Block {
    final long firstSequence;
    private final List<String> ids = new ArrayList<>();
    private long lastMs;
    private boolean onDisk;
    private boolean forgotten;

    /** Null when it is committed. */
    private Packet<?> packet;

    /** How safe it is once committed. */
    private Durability durability = Durability.NONE;

    private Block(long firstSequence) {
      this.firstSequence = firstSequence;
    }

    /** The packet that is not committed yet, or null. */
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

  /** Where an id is in use. */
  public record Use(Block block, int index) {}

  /** What is written of a block. */
  public record Written(long firstSequence, long lastMs, List<String> ids) {}

  private final int maxIds;
  private final long windowMs;
  private final Map<String, Use> uses = new HashMap<>();
  private final ArrayDeque<Block> blocks = new ArrayDeque<>();
  private List<Long> gone = new ArrayList<>();

  /**
   * @param maxIds so many of the last ids are known at least, if they are not too old; 0 for none
   * @param windowMs how long an id is known at least
   */
  public IdWindow(int maxIds, long windowMs) {
    this.maxIds = maxIds;
    this.windowMs = windowMs;
  }

  /** Adds a block found on disk, in the order of sequences. */
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

  /** Where an id is in use, or null. */
  public Use find(String id, long nowMs) {
    forget(nowMs);
    return uses.get(id);
  }

  /** Remembers the id of the message that was added to a packet last. */
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

  /** Forgets the id of a message that was not accepted after all. */
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

  /** Records to delete. */
  public List<Long> takeGone() {
    List<Long> taken = gone;
    gone = new ArrayList<>();
    return taken;
  }

  public void giveBack(List<Long> taken) {
    gone.addAll(taken);
  }

  /** The ids to be written with a packet, or null. */
  public static Written beginWrite(Packet<?> packet) {
    Block block = packet.ids;
    if (block == null || block.forgotten || block.ids.isEmpty()) {
      return null;
    }
    block.onDisk = true;
    return new Written(block.firstSequence, block.lastMs, List.copyOf(block.ids));
  }
}
