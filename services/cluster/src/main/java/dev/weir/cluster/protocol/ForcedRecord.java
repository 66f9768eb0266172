package dev.weir.cluster.protocol;

/**
 * The record by which an operator makes a member primary that would wait for others for ever: it is
 * alone in sync, of an epoch above all that may be in use.
 *
 * <p>Nobody gave a vote, so two members may be forced, and a member that was taken for lost may
 * have gone on. Histories are told apart by their epochs, so no epoch may be used by two of them. A
 * forced epoch therefore begins a range that no other member uses:
 *
 * <pre>
 * bits 27 to 52  minutes since 1970, or more if the member knows a later range
 * bits 25 and 26 index of the member
 * bits  0 to 24  counts the epochs of the group from there on
 * </pre>
 *
 * That is far above epochs counted from 1, rises with each time a member is forced, and is exact as
 * a floating-point number until the year 2097.
 */
public final class ForcedRecord {
  private static final int MEMBER_SHIFT = 25;
  private static final int RANGE_SHIFT = 27;
  private static final long MS_PER_MINUTE = 60_000;

  private ForcedRecord() {}

  /**
   * Why a member is not to be forced, for people; null if it may be.
   *
   * @param self index of the member
   * @param disk id of its disk; with another disk than that in sync it does not lead by itself
   */
  public static String refusal(GroupRecord record, LogEnd end, int self, long disk) {
    if (end.equals(LogEnd.EMPTY)) {
      return "it holds nothing: a group without any history begins anew with empty directories on"
          + " all members";
    }
    boolean same = record.disks() == 0 || record.disks() == GroupRecord.disk(self, disk);
    if (record.inSync() == 1 << self && same && !record.hasVoted()) {
      return "it needs no force: it is alone in sync, and leads at its next start";
    }
    return null;
  }

  /**
   * The record to be stored.
   *
   * @param record as it was
   * @param end of the member's log
   * @param self index of the member, 0 to 3
   * @param timeMs since 1970
   */
  public static GroupRecord of(GroupRecord record, LogEnd end, int self, long timeMs) {
    long known = Math.max(record.epoch(), end.epoch());
    long range = Math.max(timeMs / MS_PER_MINUTE, (known >> RANGE_SHIFT) + 1);
    long epoch = range << RANGE_SHIFT | (long) self << MEMBER_SHIFT;
    return GroupRecord.ofPrimary(self, epoch, record.membership());
  }
}
