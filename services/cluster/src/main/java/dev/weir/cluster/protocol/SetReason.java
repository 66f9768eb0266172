package dev.weir.cluster.protocol;

/** Why a primary accepts messages or does not, one line for people. */
final class SetReason {
  private SetReason() {}

  /**
   * @param stale bit set of the members that are not within their lease
   * @param unproven bit set of the members that came back with another disk
   * @param third the only member that is not in a set of two; null for other sets
   */
  static String of(ReplicaState replica, int stale, int unproven, Member third) {
    int inSync = replica.record().inSync();
    if (stale != 0 && replica.primaryContinues()) {
      return "waits for " + replica.names(stale) + ", and leaves it out if it stays silent";
    }
    if ((stale & unproven) != 0) {
      return "waits for the disk of "
          + replica.names(stale & unproven)
          + ", which came back with another one: the first may hold messages acknowledged without"
          + " this member; force-primary goes on without them";
    }
    if (stale != 0) {
      String why =
          "waits for " + replica.names(stale) + ": without an answer it may have taken over";
      return third == null || third.said() == null || replica.isVoter(third)
          ? why
          : why + "; " + replica.name(third.index) + " has another disk, and so no vote on that";
    }
    if (Integer.bitCount(inSync) < replica.minInSync) {
      return "in sync are "
          + replica.names(inSync)
          + ", asked for are "
          + replica.minInSync
          + " members";
    }
    return "accepts, in sync are " + replica.names(inSync);
  }
}
