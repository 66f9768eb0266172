package dev.weir.group;

import dev.weir.cluster.GroupOptions;

/** A {@link MoveProcess} whose shards have two copies and a witness. */
final class WitnessProcess {
  private WitnessProcess() {}

  /**
   * @param args as {@link TestMember#of} takes them
   */
  public static void main(String[] args) {
    MoveProcess.serve(args, new ShardOptions().setCopies(2).setWitness(true), new GroupOptions());
  }
}
