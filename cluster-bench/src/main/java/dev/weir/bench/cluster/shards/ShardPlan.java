package dev.weir.bench.cluster.shards;

import dev.weir.bench.RunContext;
import dev.weir.group.ShardOptions;

/**
 * What a run of the sharded service is made with.
 *
 * @param rounds how often each change is made
 * @param keys of the messages, each as often as every other one
 * @param payloadBytes of a message, its number included
 * @param movePauseMs as {@link ShardOptions#setMovePauseMs}
 * @param warmUp messages of a pass of the warm-up, which goes on before each change until the JIT
 *     compilers are idle
 * @param calmMs undisturbed time before and after each change
 */
record ShardPlan(
    int rounds,
    int ratePerSec,
    int shards,
    int keys,
    int payloadBytes,
    int movePauseMs,
    long warmUp,
    long calmMs) {
  /** Members that hold a shard. */
  static final int COPIES = 3;

  /** Members that must hold a message before it is answered. */
  static final int MIN_IN_SYNC = 2;

  static final int RATE_PER_SEC = 2_000;
  static final int KEYS = 5_000;
  static final int PAYLOAD_BYTES = 1_000;
  private static final int MOST_ROUNDS = 100;
  private static final int MOST_PER_SEC = 1_000_000;
  private static final int MOST_KEYS = 10_000_000;
  private static final int MOST_BYTES = 60_000;
  private static final int MOST_PAUSE_MS = 60_000;
  private static final double WARM_UP_S = 5;

  /**
   * Takes the settings of a scenario, each the name of the scenario, a dot and its own name.
   *
   * @param fullRounds rounds in the full profile; 1 in the quick one
   */
  static ShardPlan of(RunContext context, String scenario, int fullRounds) {
    String prefix = scenario + ".";
    int rate = (int) context.number(prefix + "rate", RATE_PER_SEC, 1, MOST_PER_SEC);
    int keys = (int) context.number(prefix + "keys", KEYS, 1, MOST_KEYS);
    return new ShardPlan(
        (int)
            context.number(
                prefix + "rounds", context.profile().pick(1, fullRounds), 1, MOST_ROUNDS),
        rate,
        (int)
            context.number(
                prefix + "shards", ShardOptions.DEFAULT_SHARDS, 1, ShardOptions.MAX_SHARDS),
        keys,
        (int) context.number(prefix + "bytes", PAYLOAD_BYTES, Long.BYTES, MOST_BYTES),
        (int)
            context.number(
                prefix + "move-pause-ms", ShardOptions.DEFAULT_MOVE_PAUSE_MS, 0, MOST_PAUSE_MS),
        Math.max(keys, context.paced(rate, WARM_UP_S)),
        context.profile().pick(1_000, 5_000));
  }
}
