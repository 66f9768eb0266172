package dev.weir.bench.report;

import java.util.Arrays;
import java.util.List;

/** The exact Mann-Whitney test: whether two samples can come from one distribution. */
final class MannWhitney {
  private MannWhitney() {}

  /**
   * How likely two samples of one distribution are at least as far apart, in either direction.
   * Equal values share their ranks. Cheap for samples of up to some hundred values.
   *
   * @return above 0 and at most 1; 1 if a sample is empty
   */
  static double pValue(List<Double> first, List<Double> second) {
    double[] all = new double[first.size() + second.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i < first.size() ? first.get(i) : second.get(i - first.size());
    }
    int[] ranks = doubledRanks(all);
    int total = Arrays.stream(ranks).sum();
    double[] ways = ways(ranks, first.size(), total);
    int observed = Arrays.stream(ranks, 0, first.size()).sum();
    double expected = (double) total * first.size() / Math.max(1, all.length);
    double allWays = 0;
    double asFar = 0;
    for (int sum = 0; sum <= total; sum++) {
      allWays += ways[sum];
      asFar += Math.abs(sum - expected) >= Math.abs(observed - expected) - 1e-9 ? ways[sum] : 0;
    }
    return asFar / allWays;
  }

  /** In how many ways so many of the ranks have each sum. */
  private static double[] ways(int[] ranks, int chosen, int total) {
    double[][] ways = new double[chosen + 1][total + 1];
    ways[0][0] = 1;
    for (int rank : ranks) {
      for (int count = chosen; count > 0; count--) {
        for (int sum = total; sum >= rank; sum--) {
          ways[count][sum] += ways[count - 1][sum - rank];
        }
      }
    }
    return ways[chosen];
  }

  /** Twice the rank of each value, which is whole also for values that share ranks. */
  private static int[] doubledRanks(double[] values) {
    return Arrays.stream(values)
        .mapToInt(
            value ->
                2 * (int) Arrays.stream(values).filter(other -> other < value).count()
                    + (int) Arrays.stream(values).filter(other -> other == value).count()
                    + 1)
        .toArray();
  }
}
