package dev.weir.group;

import java.util.List;

/**
 * How the moves of a service of shards get on, as one member knows it. Steps and what waits are
 * known to the member that is primary of the first shard, which asks for the steps.
 *
 * @param left as {@link GroupService#moves}
 * @param done steps that were made since the service was opened on this member: a replica that
 *     moves takes one to four
 * @param failed steps that were not made; each is asked for again
 * @param waiting why shards wait, a line for each whose last step failed
 */
public record MoveStats(int left, long done, long failed, List<String> waiting) {
  /** Copies the list. */
  public MoveStats {
    waiting = List.copyOf(waiting);
  }
}
