package dev.weir.cluster.protocol;

import dev.weir.cluster.Role;

/**
 * Decides whether a replica votes for a candidate. A replica has one vote per epoch. It votes for
 * no other candidate until it knows the result: the first candidate may have become primary and
 * acknowledged messages that no other member has.
 */
final class VotePolicy {
  private VotePolicy() {}

  /** The reason to deny the vote, one line for people; null if the replica votes. */
  static String denial(ReplicaState replica, int candidate, Control request, long nowNs) {
    GroupRecord record = replica.record();
    if (!replica.isMember()) {
      return "is not a member any more";
    }
    if (replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP) {
      return "has a primary";
    }
    boolean again = record.votedFor() == candidate && !isOtherDisk(replica, request);
    if (again && request.epoch() == record.epoch()) {
      return null;
    }
    if (request.epoch() <= record.epoch()) {
      return "knows epoch " + record.epoch();
    }
    if (record.hasVoted() && !again) {
      return "has voted for " + replica.name(record.votedFor());
    }
    if (record.isBlank() || request.record().isBlank()) {
      return ofBlank(replica, request);
    }
    if (!isFreeToVote(replica, candidate, nowNs)) {
      return "is still counted on by another member";
    }
    if (record.compareInSync(request.record()) > 0) {
      return "knows a later in-sync set";
    }
    return request.record().holds(candidate)
        ? byHistory(replica, candidate, request)
        : "the candidate is not in sync";
  }

  /** Whether the candidate lost the disk with which it got a vote, and so what it did with that. */
  private static boolean isOtherDisk(ReplicaState replica, Control request) {
    long votedDisk = replica.record().votedDisk();
    return replica.persistent && votedDisk != 0 && votedDisk != request.disk();
  }

  /**
   * Before the first primary every member votes. After it, a member without history cannot compare
   * histories.
   */
  private static String ofBlank(ReplicaState replica, Control request) {
    boolean all = replica.record().isBlank() && request.record().isBlank();
    return all && replica.end().equals(LogEnd.EMPTY) ? null : "cannot compare histories";
  }

  /**
   * Of three, a member may take over alone when both others are gone, if it was vouched for shortly
   * before: so who vouched, in this process or maybe in the one before it, must not help another
   * for as long as that counts. A witness never vouches, so it votes at once after its start.
   */
  private static boolean isFreeToVote(ReplicaState replica, int candidate, long nowNs) {
    if (replica.isWitness(replica.self)) {
      return true;
    }
    if (replica.size() == 3 && replica.isWithinTakeover(replica.startNs, nowNs)) {
      return false;
    }
    int vouchedFor = replica.others(member -> replica.isWithinTakeover(member.vouchedNs(), nowNs));
    return (vouchedFor & ~(1 << candidate)) == 0;
  }

  private static String byHistory(ReplicaState replica, int candidate, Control request) {
    boolean equal = replica.record().compareInSync(request.record()) == 0;
    boolean continuous = replica.following().isContinuous();
    if (continuous && (replica.size() == 2 || equal && !request.has(Control.CONTINUOUS))) {
      return "stands itself";
    }
    boolean compare =
        request.has(Control.CONTINUOUS)
            ? continuous && equal
            : request.record().holds(replica.self);
    return compare && isBetter(replica, candidate, request) ? "holds more" : null;
  }

  private static boolean isBetter(ReplicaState replica, int candidate, Control request) {
    int byEnd = replica.end().compareTo(request.end());
    return byEnd > 0 || byEnd == 0 && replica.role() == Role.CANDIDATE && replica.self < candidate;
  }
}
