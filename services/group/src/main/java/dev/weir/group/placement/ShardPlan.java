package dev.weir.group.placement;

import dev.weir.options.Checks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the replicas of a service are to be. Operators change it; moves bring the shards there.
 *
 * <p>As bytes, all numbers big-endian:
 *
 * <pre>
 * byte format, long version, int copies
 * int members, for each: short bytes of the name, name in UTF-8
 * int shards, for each: byte holders, for each: short place of the member
 * in format 2, for each shard: short place of its witness, -1 for none
 * </pre>
 *
 * Format 1 is that of a service without witnesses.
 *
 * @param version how often it was changed; 0 for the placement with which the service began
 */
public record ShardPlan(long version, ShardPlacement placement) {
  private static final byte FORMAT = 1;
  private static final byte WITNESSES = 2;
  private static final int FIXED_BYTES = 1 + Long.BYTES + 3 * Integer.BYTES;

  /**
   * With one more member. The plan stays as it is if the member is there already.
   *
   * @param most how many members there may be
   * @throws IllegalArgumentException if there are too many
   */
  public ShardPlan added(String member, int most) {
    List<String> members = placement.members();
    if (members.contains(member)) {
      return this;
    }
    Checks.range("members", members.size() + 1, 1, most);
    List<String> more = new ArrayList<>(members);
    more.add(member);
    return new ShardPlan(version + 1, placement.with(more));
  }

  /**
   * With one member less. The plan stays as it is if the member is not there.
   *
   * @param least how many members there must be
   * @throws IllegalArgumentException if there are too few
   */
  public ShardPlan removed(String member, int least) {
    List<String> members = new ArrayList<>(placement.members());
    if (!members.remove(member)) {
      return this;
    }
    if (members.size() < least) {
      throw Checks.notAllowed(
          "members", members, "at least " + least + " names, because of minInSync");
    }
    return new ShardPlan(version + 1, placement.with(members));
  }

  /**
   * With a replica of one shard on another member.
   *
   * @throws IllegalArgumentException as {@link ShardPlacement#moved}
   */
  public ShardPlan moved(int shard, String from, String to) {
    return new ShardPlan(version + 1, placement.moved(shard, from, to));
  }

  public byte[] encode() {
    List<byte[]> names =
        placement.members().stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toList();
    int bytes = FIXED_BYTES + names.stream().mapToInt(name -> Short.BYTES + name.length).sum();
    for (int shard = 0; shard < placement.shards(); shard++) {
      bytes += 1 + Short.BYTES * placement.holders(shard).length;
    }
    bytes += placement.hasWitnesses() ? Short.BYTES * placement.shards() : 0;
    ByteBuffer out = ByteBuffer.allocate(bytes);
    out.put(placement.hasWitnesses() ? WITNESSES : FORMAT).putLong(version);
    out.putInt(placement.copies()).putInt(names.size());
    names.forEach(name -> out.putShort((short) name.length).put(name));
    out.putInt(placement.shards());
    for (int shard = 0; shard < placement.shards(); shard++) {
      int[] holders = placement.holders(shard);
      out.put((byte) holders.length);
      for (int holder : holders) {
        out.putShort((short) holder);
      }
    }
    if (placement.hasWitnesses()) {
      for (int shard = 0; shard < placement.shards(); shard++) {
        out.putShort((short) placement.witnessPlace(shard));
      }
    }
    return out.array();
  }

  /**
   * @param service its name
   * @throws IllegalArgumentException if the bytes are of a later version
   */
  public static ShardPlan decode(String service, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte format = in.get();
    if (format != FORMAT && format != WITNESSES) {
      throw new IllegalArgumentException(
          "a plan has format " + format + ", known are " + FORMAT + " and " + WITNESSES);
    }
    long version = in.getLong();
    int copies = in.getInt();
    List<String> members = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      byte[] name = new byte[in.getShort()];
      in.get(name);
      members.add(new String(name, StandardCharsets.UTF_8));
    }
    int[][] holders = new int[in.getInt()][];
    for (int shard = 0; shard < holders.length; shard++) {
      holders[shard] = new int[in.get()];
      for (int i = 0; i < holders[shard].length; i++) {
        holders[shard][i] = in.getShort();
      }
    }
    int[] witnesses = format == WITNESSES ? new int[holders.length] : null;
    for (int shard = 0; witnesses != null && shard < witnesses.length; shard++) {
      witnesses[shard] = in.getShort();
    }
    return new ShardPlan(version, ShardPlacement.of(service, copies, members, holders, witnesses));
  }
}
