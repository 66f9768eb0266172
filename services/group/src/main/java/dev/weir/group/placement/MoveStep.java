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
 * @param asWitness whether the member that joins votes and holds no messages
 */
public record MoveStep(
    int shard, String primary, String out, String in, String to, boolean asWitness) {

  /** A step after which the primary is the same. */
  public MoveStep(int shard, String primary, String out, String in) {
    this(shard, primary, out, in, null, false);
  }

  /** The primary gives its role to another member of the shard. */
  static MoveStep handOver(int shard, String primary, String to) {
    return new MoveStep(shard, primary, null, null, to, false);
  }

  /**
   * A witness joins.
   *
   * @param out the witness that leaves; null for none
   */
  static MoveStep witness(int shard, String primary, String out, String in) {
    return new MoveStep(shard, primary, out, in, null, true);
  }

  /** Whether a member joins that has to get the history of the shard. */
  public boolean copies() {
    return in != null && !asWitness;
  }

  /**
   * Whether the witness of the shard has to leave first: beside it no replica can come or go.
   *
   * @param witness null for none
   */
  public boolean isBarredBy(String witness) {
    boolean changesHolders = !asWitness && !isHandOver() && (in != null || out != null);
    return witness != null && changesHolders && !witness.equals(out);
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
    what += asWitness ? " as witness" : "";
    return "shard " + shard + ": " + what;
  }
}
