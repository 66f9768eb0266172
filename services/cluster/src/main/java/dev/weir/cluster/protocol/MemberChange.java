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

  /** Why a primary must not begin the change, one line for people; null if it may. */
  String refusal(ReplicaState replica) {
    Membership now = replica.membership();
    if (!replica.persistent) {
      return "the members of a group without persistence stay: it keeps no record of a change";
    }
    if (out != null && now.slot(out) < 0) {
      return out + " is not a member, the members are " + now;
    }
    if (in != null && now.slot(in) >= 0) {
      return in + " is a member already";
    }
    if (out != null && now.slot(out) == replica.self) {
      return out
          + " is the primary, which takes no part in its own removal: let it step down, and"
          + " ask the next primary";
    }
    int old =
        replica.others(member -> member.said() != null && !member.said().has(Control.CHANGEABLE));
    if (old != 0) {
      return replica.names(old)
          + " has an older version, which does not know changes of the members: upgrade it first";
    }
    return in == null ? ofRemoval(replica, now) : ofJoin(replica, now);
  }

  private String ofRemoval(ReplicaState replica, Membership now) {
    boolean holds = now.slot(out) != now.witness();
    if (holds && now.witness() >= 0) {
      return "a witness needs two other members: take " + now.name(now.witness()) + " out first";
    }
    return holds && now.holders() - 1 < replica.minInSync
        ? "without "
            + out
            + " the group has fewer members than minInSync, which is "
            + replica.minInSync
        : null;
  }

  private String ofJoin(ReplicaState replica, Membership now) {
    int free = free(now);
    if (witness && (now.size() != 2 || now.witness() >= 0 || free != Membership.SLOTS - 1)) {
      return "a witness takes the third place beside two members, the places are " + now.names();
    }
    if (out == null && replica.primaryContinues()) {
      return "pairPolicy is PRIMARY_CONTINUES, which is for two members";
    }
    if (out == null) {
      return free < 0 ? "the group has " + Membership.SLOTS + " members, which is the most" : null;
    }
    boolean swaps = free < 0 && now.slot(out) != now.witness();
    return swaps && now.holders() - 1 < replica.minInSync
        ? "until "
            + in
            + " has caught up the group has fewer members than minInSync, which is "
            + replica.minInSync
        : null;
  }

  /** The lowest vacant slot; -1 if there is none. */
  static int free(Membership now) {
    return now.names().indexOf(Membership.VACANT);
  }
}
