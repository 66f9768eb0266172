package dev.weir.group.placement;

/**
 * One change of a shard that its primary is asked for: a member joins, leaves or is replaced.
 *
 * @param shard 0 or more
 * @param primary who is asked
 * @param out the member that leaves; null if none does
 * @param in the member that joins; null if none does. With neither the primary gives up the role
 */
public record MoveStep(int shard, String primary, String out, String in) {

  /** Whether the primary is to give up the role. */
  public boolean isHandOver() {
    return out == null && in == null;
  }

  @Override
  public String toString() {
    String what =
        isHandOver()
            ? primary + " gives up the role of primary"
            : out == null
                ? "add " + in
                : in == null ? "remove " + out : "replace " + out + " by " + in;
    return "shard " + shard + ": " + what;
  }
}
