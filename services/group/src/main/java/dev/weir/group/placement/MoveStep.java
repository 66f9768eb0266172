package dev.weir.group.placement;

/**
 * One change of a shard that its primary is asked for: a member joins, leaves or is replaced, or
 * another member becomes primary.
 *
 * @param shard 0 or more
 * @param primary who is asked
 * @param out the member that leaves; null if none does
 * @param in the member that joins; null if none does
 * @param to the member that takes over the role of primary; null if the primary keeps it
 */
public record MoveStep(int shard, String primary, String out, String in, String to) {

  /** A step after which the primary is the same. */
  public MoveStep(int shard, String primary, String out, String in) {
    this(shard, primary, out, in, null);
  }

  /** The primary gives its role to another member of the shard. */
  static MoveStep handOver(int shard, String primary, String to) {
    return new MoveStep(shard, primary, null, null, to);
  }

  /** Whether the primary is to give up the role. */
  public boolean isHandOver() {
    return to != null;
  }

  @Override
  public String toString() {
    String what =
        isHandOver()
            ? primary + " gives the role of primary to " + to
            : out == null
                ? "add " + in
                : in == null ? "remove " + out : "replace " + out + " by " + in;
    return "shard " + shard + ": " + what;
  }
}
