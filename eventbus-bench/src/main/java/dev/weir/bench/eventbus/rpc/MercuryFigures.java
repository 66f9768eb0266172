package dev.weir.bench.eventbus.rpc;

/**
 * Measured figures of Mercury, a peer of the same function: one service of 200 workers, a {@code
 * byte[]} body, the same sizes and the same number of requests in flight, 10 rounds; events per
 * second.
 */
final class MercuryFigures {
  /** Where the figures come from. */
  static final String SOURCE =
      "Mercury 4.11.10 (mercury-composable, JDK 25) measured on a 2-core machine of the same kind";

  private static final int[] BDB_ONE_WAY_MAX = {32_190, 17_763, 12_934, 3_338};
  private static final int[] BDB_TWO_WAY_MAX = {50_126, 23_008, 13_708, 3_140};
  private static final int[] FILE_ONE_WAY_MAX = {32_595, 29_647, 15_018, 4_908};
  private static final int[] FILE_TWO_WAY_MAX = {64_825, 25_565, 10_677, 2_823};

  private MercuryFigures() {}

  /** Its maximum with the Berkeley DB store. */
  static int bdbMax(RpcCase rpcCase) {
    return (rpcCase.twoWay() ? BDB_TWO_WAY_MAX : BDB_ONE_WAY_MAX)[rpcCase.size()];
  }

  /** Its maximum with the better of its two stores. */
  static int betterMax(RpcCase rpcCase) {
    int file = (rpcCase.twoWay() ? FILE_TWO_WAY_MAX : FILE_ONE_WAY_MAX)[rpcCase.size()];
    return Math.max(file, bdbMax(rpcCase));
  }
}
