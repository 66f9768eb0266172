package dev.weir.cluster.protocol;

/**
 * A change of the members that the primary of a group is to make: a member joins the group, leaves
 * it, or is replaced. {@link MemberSteps} has the steps.
 *
 * @param out name of the member that leaves; null for none
 * @param in name of the member that joins; null for none
 * @param witness whether the member that joins, and replaces nobody, is a witness
 */
public record MemberChange(String out, String in, boolean witness) {

  /** Whether the members are as the change wants them already. */
  public boolean isMade(Membership now) {
    return (out == null || now.slot(out) < 0) && (in == null || hasJoined(now));
  }

  /** Who replaces a member has its role, whatever that is. */
  private boolean hasJoined(Membership now) {
    int slot = now.slot(in);
    return slot >= 0 && (out != null || witness == (slot == now.witness()));
  }

  /**
   * Whether the first step of a replacement of two is made: both are members, and a third one is.
   * An earlier primary may have made that step, so the change can be asked for again.
   */
  boolean isHalfMade(Membership now) {
    return out != null
        && in != null
        && !in.equals(out)
        && now.slot(out) >= 0
        && now.slot(in) >= 0
        && now.holders() == Membership.SLOTS;
  }

  /** Why a primary must not begin the change, one line for people; null if it may. */
  String refusal(ReplicaState replica) {
    Membership now = replica.membership();
    if (!replica.persistent) {
      return "persistence is false, allowed for a change of the members is true: without it a group"
          + " keeps no record of the change";
    }
    if (out != null && now.slot(out) < 0) {
      return "member is " + out + ", allowed is one of the members, which are " + now;
    }
    boolean goesOn = isHalfMade(now) && replica.record().membership() != null;
    if (in != null && now.slot(in) >= 0 && !goesOn) {
      return joining() + ", allowed is one that is no member yet, the members are " + now;
    }
    if (out != null && now.slot(out) == replica.self) {
      return "member is "
          + out
          + ", which is the primary and takes no part in its own removal: let it step down, and ask"
          + " the next primary";
    }
    int old =
        replica.others(member -> member.said() != null && !member.said().has(Control.CHANGEABLE));
    if (old != 0) {
      return replica.names(old)
          + " has an older version, which does not know changes of the members: upgrade it first";
    }
    return in == null || goesOn ? ofRemoval(replica, now) : ofJoin(replica, now);
  }

  /** The member that joins, by the name of the option and its value. */
  private String joining() {
    return (out == null ? "member is " : "by is ") + in;
  }

  private String ofRemoval(ReplicaState replica, Membership now) {
    boolean holds = now.slot(out) != now.witness();
    if (holds && now.witness() >= 0) {
      return "member is "
          + out
          + ", allowed beside a witness, which needs two other members, is "
          + now.name(now.witness())
          + " first";
    }
    return holds && now.holders() - 1 < replica.minInSync
        ? "member is "
            + out
            + ", without which the group has fewer members than minInSync, which is "
            + replica.minInSync
        : null;
  }

  private String ofJoin(ReplicaState replica, Membership now) {
    int free = free(now);
    if (witness && (now.size() != 2 || now.witness() >= 0)) {
      return joining()
          + ", allowed for a witness is a group of two that hold messages, the members are "
          + now;
    }
    if (out == null && replica.primaryContinues()) {
      return joining()
          + ", which would be the third: pairPolicy is PRIMARY_CONTINUES, which is for two members";
    }
    if (out == null) {
      return free < 0
          ? joining() + ", allowed are " + Membership.SLOTS + " members, and they are " + now
          : null;
    }
    boolean swaps = free < 0 && now.slot(out) != now.witness();
    return swaps && now.holders() - 1 < replica.minInSync
        ? joining()
            + ", and until it has caught up the group has fewer members than minInSync, which is "
            + replica.minInSync
        : null;
  }

  /** The lowest vacant slot; -1 if there is none. */
  static int free(Membership now) {
    return now.names().indexOf(Membership.VACANT);
  }
}
