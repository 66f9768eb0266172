package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.group.GroupState;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.state.DocumentException;
import dev.weir.state.change.LoggedChange;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The log of the changes of one shard. For one call of a processor.
 *
 * <pre>
 * table changes  name: number of the change, from 0; value: position (8 bytes), LoggedChange
 * table meta     log: number of the oldest change that is kept (8), of the next one (8),
 *                the position of the shard (8), the position behind which all changes are kept (8),
 *                estimated heap (8)
 * </pre>
 *
 * A position is a time in ms by the clock of the group, times 256, or the position before plus one.
 * So the positions of all shards are near each other, and a reader can put them in one order.
 */
final class ShardLog {
  /** Member of a question: the position and the limit of a read of the log. */
  static final String CHANGES = "changes";

  /** Member of a command: the position behind which all later changes are. */
  static final String SEAL = "seal";

  /** Estimated heap of a change beside its bytes. */
  static final int CHANGE_BYTES = 300;

  private static final int CLOCK_BITS = 8;

  /** By so much the clocks of members differ at most. */
  private static final long MAX_CLOCK_MS = TimeUnit.DAYS.toMillis(1);

  /** Changes that one call deletes at most, because what a call changes is limited. */
  private static final int MAX_TRIMMED = 100;

  /** Bytes of changes that one read gives at most. */
  private static final int MAX_READ_BYTES = 128 << 10;

  private static final int FIRST_AT = 0;
  private static final int NEXT_AT = 8;
  private static final int POSITION_AT = 16;
  private static final int FLOOR_AT = 24;
  private static final int BYTES_AT = 32;
  private static final int META_BYTES = 40;
  private static final String META = "log";

  private final Table<Buffer> changes;
  private final Table<Buffer> meta;
  private final Buffer figures;
  private final boolean exists;

  ShardLog(GroupState state) {
    this.changes = state.table(CHANGES, Serde.BYTES);
    this.meta = state.table("meta", Serde.BYTES);
    Buffer kept = meta.get(META);
    this.exists = kept != null;
    this.figures = exists ? kept : Buffer.buffer(new byte[META_BYTES]);
  }

  /** No later change has this position, or one below it. */
  long position() {
    return figures.getLong(POSITION_AT);
  }

  /** All changes behind this position are kept. */
  long floor() {
    return figures.getLong(FLOOR_AT);
  }

  /** Estimated heap of the changes that are kept. */
  long heapBytes() {
    return figures.getLong(BYTES_AT);
  }

  /**
   * Adds a change.
   *
   * @param isLate whether there were documents before the log began: then what is before is missing
   * @param limitBytes estimated heap above which the oldest changes are deleted; never the last one
   */
  void append(LoggedChange change, boolean isLate, long limitBytes) {
    long position = next(change.timeMs());
    if (!exists && isLate) {
      figures.setLong(FLOOR_AT, position - 1);
    }
    Buffer value = Buffer.buffer().appendLong(position).appendBytes(change.encode());
    long number = figures.getLong(NEXT_AT);
    changes.put(Long.toString(number), value);
    figures.setLong(NEXT_AT, number + 1);
    figures.setLong(POSITION_AT, position);
    figures.setLong(BYTES_AT, figures.getLong(BYTES_AT) + CHANGE_BYTES + value.length());
    trim(limitBytes, number);
    meta.put(META, figures);
  }

  /**
   * A change that is not added, because the factory has no log any more: readers of an earlier one
   * would miss it.
   */
  void skip(long nowMs) {
    if (exists) {
      long position = next(nowMs);
      trim(-1, figures.getLong(NEXT_AT));
      figures.setLong(POSITION_AT, position);
      figures.setLong(FLOOR_AT, position);
      meta.put(META, figures);
    }
  }

  private long next(long nowMs) {
    return Math.max(position() + 1, nowMs << CLOCK_BITS);
  }

  /** Deletes the oldest changes before a number. */
  private void trim(long limitBytes, long end) {
    long number = figures.getLong(FIRST_AT);
    long bytes = figures.getLong(BYTES_AT);
    for (int i = 0; i < MAX_TRIMMED && bytes > limitBytes && number < end; i++) {
      Buffer gone = changes.get(Long.toString(number));
      changes.remove(Long.toString(number));
      figures.setLong(FLOOR_AT, gone.getLong(0));
      bytes -= CHANGE_BYTES + gone.length();
      number++;
    }
    figures.setLong(FIRST_AT, number);
    figures.setLong(BYTES_AT, bytes);
  }

  /**
   * Makes every later change one behind a position.
   *
   * @throws DocumentException if the position is further ahead of the clock than any shard's is
   */
  void seal(long position, long nowMs) {
    if (position > nowMs + MAX_CLOCK_MS << CLOCK_BITS) {
      throw new DocumentException(
          BAD_REQUEST, "position " + position + " is more than a day ahead of the clock");
    }
    if (position > position()) {
      figures.setLong(POSITION_AT, position);
      meta.put(META, figures);
    }
  }

  /** The changes behind a position, the oldest first, so many at most. */
  ShardChanges read(long after, int limit) {
    List<Buffer> found = new ArrayList<>();
    long end = figures.getLong(NEXT_AT);
    long number = firstBehind(after);
    for (int bytes = 0; number < end && found.size() < limit && bytes < MAX_READ_BYTES; number++) {
      Buffer value = changes.get(Long.toString(number));
      found.add(value);
      bytes += value.length();
    }
    return new ShardChanges(number < end, position(), floor(), found);
  }

  /** The number of the first change that is kept and behind a position. */
  private long firstBehind(long after) {
    long low = figures.getLong(FIRST_AT);
    long high = figures.getLong(NEXT_AT);
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (changes.get(Long.toString(middle)).getLong(0) > after) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
