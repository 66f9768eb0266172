package dev.weir.group;

import dev.weir.cluster.GroupOptions;

/** A {@link MoveProcess} whose shards have two copies and a witness. */
final class WitnessProcess {
  static final int SHARDS = 4;

  private WitnessProcess() {}

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    MoveProcess.serve(
        args,
        new ShardOptions().setShards(SHARDS).setCopies(2).setWitness(true),
        new GroupOptions());
  }
}
