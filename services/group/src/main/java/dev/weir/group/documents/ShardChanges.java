package dev.weir.group.documents;

import dev.weir.state.change.LoggedChange;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a read of the log of one shard found, the oldest change first.
 *
 * <pre>
 * 0  byte version
 * 1  byte 1 if the shard has more
 * 2  long position of the shard
 * 10 long position behind which the shard has all changes
 * 18 for each change: int bytes of what follows, long position, LoggedChange
 * </pre>
 *
 * @param found each the position and the value of a change
 */
record ShardChanges(boolean hasMore, long position, long floor, List<Buffer> found) {
  private static final byte VERSION = 1;
  private static final int POSITION_AT = 2;
  private static final int FLOOR_AT = 10;
  private static final int FOUND_AT = 18;

  Buffer encode() {
    Buffer out =
        Buffer.buffer()
            .appendByte(VERSION)
            .appendByte((byte) (hasMore ? 1 : 0))
            .appendLong(position)
            .appendLong(floor);
    found.forEach(each -> out.appendInt(each.length()).appendBuffer(each));
    return out;
  }

  /**
   * @throws IllegalArgumentException if it is of another version
   */
  static ShardChanges decode(Buffer in) {
    if (in.getByte(0) != VERSION) {
      throw new IllegalArgumentException(
          "the changes of a shard have version " + in.getByte(0) + ", known is " + VERSION);
    }
    List<Buffer> found = new ArrayList<>();
    int at = FOUND_AT;
    while (at < in.length()) {
      int from = at + Integer.BYTES;
      at = from + in.getInt(at);
      found.add(in.getBuffer(from, at));
    }
    return new ShardChanges(
        in.getByte(1) == 1, in.getLong(POSITION_AT), in.getLong(FLOOR_AT), found);
  }

  /** The position of a change in its shard. */
  static long positionOf(Buffer change) {
    return change.getLong(0);
  }

  /**
   * A change.
   *
   * @param position among those of all shards
   */
  static LoggedChange decode(Buffer change, long position) {
    return LoggedChange.decode(position, change.getBytes(Long.BYTES, change.length()));
  }
}
