package dev.weir.cluster;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.LogStore;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.ForcedRecord;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.options.Checks;
import dev.weir.queue.store.UninterruptibleThread;
import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * An operator's way out when a member that was in sync is lost for good: makes another member
 * primary without it, on the directory of that member's log while the member, and so each of its
 * groups, is <b>not running</b>.
 *
 * <p>What the lost member has acknowledged and this one does not hold is lost with it, and nobody
 * can say how much that is. Of several members that are left, the one whose log ends last, by epoch
 * and then by position, is the one to force; it alone.
 *
 * <p>The directory is in use until {@link #close}. One thread at a time; all methods block for the
 * disk.
 */
public final class ForcedPrimary implements AutoCloseable {
  private static final int SKIP_BYTES = 1 << 20;
  private static final String CALL = "weir-log-call";

  private final TransactionLog log;
  private final List<String> members;
  private final int self;

  /**
   * What a member's record and log say.
   *
   * @param epoch the highest it has accepted or promised to accept
   * @param votedFor the member it has voted for without knowing what came of it; null if there is
   *     none
   * @param inSyncEpoch epoch of {@code inSync}; 0 if it was never told of a primary
   * @param inSync the members that held everything acknowledged, as far as it was told
   * @param logStart position of the first message it still has
   * @param logEpoch epoch of its last message; 0 if it has none
   * @param logEnd position behind that message
   * @param refusal why it is not to be forced, for people; null if it may be
   */
  public record Standing(
      long epoch,
      String votedFor,
      long inSyncEpoch,
      List<String> inSync,
      long logStart,
      long logEpoch,
      long logEnd,
      String refusal) {}

  private ForcedPrimary(TransactionLog log, List<String> members, int self) {
    this.log = log;
    this.members = members;
    this.self = self;
  }

  /**
   * Opens the log in a directory, as a start of the member would, and reads all that such a start
   * needs.
   *
   * @param directory {@link NodeOptions#getDirectory} with the name of the group
   * @param members as {@link GroupOptions#getMembers}, in the same order
   * @param member whose directory it is
   * @throws IllegalArgumentException if the member is none of them, or they are not this group's
   * @throws IllegalStateException if there is no log, or it is in use or damaged
   */
  public static ForcedPrimary open(Path directory, List<String> members, String member) {
    Checks.notNull("directory", directory);
    List<String> checked = new GroupOptions().setMembers(members).getMembers();
    int self = checked.indexOf(member);
    if (self < 0) {
      throw new IllegalArgumentException("member is " + member + ", allowed is one of " + checked);
    }
    return usable(() -> open(LogStore.openExisting(directory), checked, self));
  }

  private static ForcedPrimary open(TransactionLog log, List<String> members, int self) {
    boolean opened = false;
    try {
      if (log.record().inSync() >> members.size() != 0) {
        throw new IllegalArgumentException(
            "members is " + members + ", allowed are those of the group: its record has more");
      }
      UninterruptibleThread.run(CALL, () -> readAll(log));
      opened = true;
      return new ForcedPrimary(log, members, self);
    } finally {
      if (!opened) {
        log.close();
      }
    }
  }

  /** A member whose log is damaged would not start; better to know that before. */
  private static void readAll(TransactionLog log) {
    try {
      log.readSnapshot(ForcedPrimary::readToEnd);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    long from = Math.max(log.snapshot().position(), log.start());
    if (from < log.end().position()) {
      log.read(from, batch -> true);
    }
  }

  private static void readToEnd(DataInput in) throws IOException {
    int read;
    do {
      read = in.skipBytes(SKIP_BYTES);
    } while (read > 0);
  }

  private static <V> V usable(Supplier<V> call) {
    try {
      return call.get();
    } catch (LogException | UncheckedIOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** How the member stands now. */
  public Standing standing() {
    GroupRecord record = log.record();
    LogEnd end = log.end();
    return new Standing(
        record.epoch(),
        record.hasVoted() ? members.get(record.votedFor()) : null,
        record.inSyncEpoch(),
        IntStream.range(0, members.size()).filter(record::holds).mapToObj(members::get).toList(),
        log.start(),
        end.epoch(),
        end.position(),
        ForcedRecord.refusal(record, end, self, log.diskId()));
  }

  /**
   * Stores, forced to the device, that the member is alone in sync, in an epoch that no other
   * member can have: it leads at its next start, and all that it meets take over its history.
   *
   * @return how the member stands then
   * @throws IllegalStateException if it is not to be forced, or the record cannot be stored
   */
  public Standing force() {
    String refusal = standing().refusal();
    if (refusal != null) {
      throw new IllegalStateException(members.get(self) + " is not forced: " + refusal);
    }
    GroupRecord forced = ForcedRecord.of(log.record(), log.end(), self, System.currentTimeMillis());
    try {
      UninterruptibleThread.run(CALL, () -> log.save(forced));
    } catch (LogException | UncheckedIOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    return standing();
  }

  @Override
  public void close() {
    log.close();
  }
}
