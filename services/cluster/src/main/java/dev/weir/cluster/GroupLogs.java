package dev.weir.cluster;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.GroupLogReader;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** What two replicas of a group say of the same history. */
public final class GroupLogs {
  private GroupLogs() {}

  /**
   * The outcome of a comparison.
   *
   * @param from position of the first message that both have
   * @param to position behind the last message compared
   * @param firstEnd position behind the last message of the first log
   * @param secondEnd of the second log
   * @param bytes compared, of each
   * @param difference the first one in what both have, for people; null if there is none
   */
  public record Comparison(
      long from, long to, long firstEnd, long secondEnd, long bytes, String difference) {

    /** Whether both agree on all that both have; one may have more. */
    public boolean agrees() {
      return difference == null;
    }

    /** Whether they agree, and none goes on after the other. */
    public boolean isSame() {
      return agrees() && firstEnd == secondEnd && to == firstEnd;
    }
  }

  /**
   * Compares batches byte for byte, from the first that both logs still have to the last that both
   * have already. Neither may belong to a replica of this process; blocks while it reads.
   *
   * @throws IllegalStateException if one of them cannot be read
   */
  public static Comparison compare(Path first, Path second) {
    try (GroupLogReader one = GroupLogReader.open(first);
        GroupLogReader two = GroupLogReader.open(second)) {
      return new Walk(one, two).run();
    }
  }

  /** One comparison. */
  private static final class Walk {
    private final GroupLogReader one;
    private final GroupLogReader two;
    private final long from;
    private final long to;
    private long position;
    private long bytes;

    Walk(GroupLogReader one, GroupLogReader two) {
      this.one = one;
      this.two = two;
      from = Math.max(one.start(), two.start());
      to = Math.min(one.end(), two.end());
      position = from;
    }

    Comparison run() {
      String difference = difference();
      return new Comparison(from, position, one.end(), two.end(), bytes, difference);
    }

    private String difference() {
      if (from >= to) {
        return from > to ? "nothing is in both: one ends at " + to + ", one starts later" : null;
      }
      if (!one.seek(from) || !two.seek(from)) {
        return "no batch of one of them starts at " + from + ", where the other does";
      }
      while (position < to) {
        ByteBuffer batch = one.next();
        ByteBuffer other = two.next();
        if (!batch.equals(other)) {
          return "they differ in the batch at "
              + position
              + ", of epochs "
              + Batch.epoch(batch, 0)
              + " and "
              + Batch.epoch(other, 0)
              + ", from byte "
              + batch.mismatch(other)
              + " on";
        }
        position += Batch.count(batch, 0);
        bytes += batch.capacity();
      }
      return null;
    }
  }
}
