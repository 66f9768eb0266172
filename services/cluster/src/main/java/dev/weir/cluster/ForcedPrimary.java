package dev.weir.cluster;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.LogStore;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.ForcedRecord;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.protocol.Membership;
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
 * <p>The members of the group are then those that the forced member knows, see {@link #members}: a
 * change that it missed is lost too. Who is not one of them must not run any more, and who is one
 * again begins with an empty directory.
 *
 * <p>The directory is in use until {@link #close}. One thread at a time; all methods block for the
 * disk.
 */
public final class ForcedPrimary implements AutoCloseable {
  private static final int SKIP_BYTES = 1 << 20;
  private static final String CALL = "weir-log-call";

  private final TransactionLog log;

  /** By the record, or as told for one that has none. */
  private final Membership known;

  /** With this member, which may have been taken out. */
  private final Membership members;

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

  private ForcedPrimary(TransactionLog log, Membership known, Membership members, int self) {
    this.log = log;
    this.known = known;
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
   * @throws IllegalArgumentException if the member is none of them, or was taken out of the group,
   *     or they are not this group's
   * @throws IllegalStateException if there is no log, or it is in use or damaged
   */
  public static ForcedPrimary open(Path directory, List<String> members, String member) {
    return open(directory, members, member, false);
  }

  /**
   * The same, also for a member that was {@linkplain ProcessorGroup#remove taken out} of the group
   * and knows it.
   *
   * @param giveUpChange whether such a member takes the place again that it has in {@code members}:
   *     what was acknowledged since it left is lost, and who has that place now is a member no more
   * @throws IllegalArgumentException if the member is none of them, or was taken out and is not to
   *     come back, or they are not this group's
   * @throws IllegalStateException if there is no log, or it is in use or damaged
   */
  public static ForcedPrimary open(
      Path directory, List<String> members, String member, boolean giveUpChange) {
    Checks.notNull("directory", directory);
    List<String> checked = new GroupOptions().setMembers(members).getMembers();
    if (!checked.contains(member)) {
      throw new IllegalArgumentException("member is " + member + ", allowed is one of " + checked);
    }
    return usable(() -> open(LogStore.openExisting(directory), checked, member, giveUpChange));
  }

  private static ForcedPrimary open(
      TransactionLog log, List<String> told, String member, boolean giveUpChange) {
    boolean opened = false;
    try {
      // After a change of the members the record has them; the options may be older.
      Membership changed = log.record().membership();
      Membership known = changed == null ? new Membership(told, -1) : changed;
      boolean isOut = known.slot(member) < 0;
      if (isOut && !giveUpChange) {
        throw new IllegalArgumentException(
            "member is "
                + member
                + ", which was taken out of the group: allowed is one of "
                + known
                + ", or to give that change up");
      }
      if (changed == null && log.record().inSync() >> told.size() != 0) {
        throw new IllegalArgumentException(
            "members is " + told + ", allowed are those of the group: its record has more");
      }
      Membership members = isOut ? known.withHolder(told.indexOf(member), member) : known;
      UninterruptibleThread.run(CALL, () -> readAll(log));
      opened = true;
      return new ForcedPrimary(log, known, members, members.slot(member));
    } finally {
      if (!opened) {
        log.close();
      }
    }
  }

  /** A member whose log is damaged would not start; better to know that before. */
  private static void readAll(TransactionLog log) {
    try {
      log.copySnapshot(ForcedPrimary::readToEnd);
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

  /**
   * Names of the members that the group has if this one is forced, by place; empty for a vacant
   * place.
   */
  public List<String> members() {
    return members.list();
  }

  /** How the member stands now. */
  public Standing standing() {
    GroupRecord record = log.record();
    LogEnd end = log.end();
    Membership names = record.membership() == null ? known : record.membership();
    return new Standing(
        record.epoch(),
        record.hasVoted() ? names.name(record.votedFor()) : null,
        record.inSyncEpoch(),
        IntStream.range(0, Membership.SLOTS).filter(record::holds).mapToObj(names::name).toList(),
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
      throw new IllegalStateException(members.name(self) + " is not forced: " + refusal);
    }
    long nowMs = System.currentTimeMillis();
    GroupRecord record = ForcedRecord.of(log.record(), log.end(), self, nowMs);
    GroupRecord forced = members.equals(known) ? record : record.withMembership(members);
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
