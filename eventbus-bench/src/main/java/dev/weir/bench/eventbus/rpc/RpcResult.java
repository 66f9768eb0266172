package dev.weir.bench.eventbus.rpc;

import dev.weir.bench.env.Environment;
import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.DiskShare;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import java.util.Comparator;

/**
 * The figures of one path in one case, for comparison with others.
 *
 * @param ratioToRawBus the median ratio to the bare bus with the same requests; 1 for that itself
 * @param disk what went to the disk tier in the measured rounds, or null for another path
 */
record RpcResult(
    RpcCase rpcCase,
    RequestPath path,
    Bodies.Kind kind,
    Spread opsPerSec,
    double ratioToRawBus,
    DiskShare disk) {

  /** The order of the table: by case, body and path. */
  static final Comparator<RpcResult> BY_CASE =
      Comparator.comparing((RpcResult result) -> RpcCase.all().indexOf(result.rpcCase))
          .thenComparing(RpcResult::kind)
          .thenComparing(RpcResult::path);

  /** Whether the work is that of Mercury: a body of bytes, and every overflow is written. */
  boolean isMercurys() {
    return path == RequestPath.OVERFLOW_WRITTEN && kind == Bodies.Kind.BUFFER;
  }

  double ratioToMercuryBetter() {
    return opsPerSec.median() / MercuryFigures.betterMax(rpcCase);
  }

  double ratioToMercuryBdb() {
    return opsPerSec.median() / MercuryFigures.bdbMax(rpcCase);
  }

  /** Fills in everything but the figures of the measurement. */
  Row addTo(Row row, RequestWorkload workload) {
    row.caseName(rpcCase.label())
        .path(path.toString())
        .body(kind.toString())
        .payloadBytes(rpcCase.bytes())
        .extra("bodyIs", workload.bodies.describe())
        .extra("check", workload.bodies.describeCheck() + "; each once and in order at the service")
        .extra("durability", "none: requests need none")
        .extra("handler", workload.describeHandler());
    if (path.hasPool()) {
      row.workers(RequestPath.WORKERS).extra("ratioToRawBus", ratioToRawBus);
    }
    if (isMercurys()) {
      row.extra("ratioToMercuryBetterMax", ratioToMercuryBetter())
          .extra("ratioToMercuryBdbMax", ratioToMercuryBdb())
          .extra("mercury", MercuryFigures.SOURCE);
    }
    if (path == RequestPath.OVERFLOW_WRITTEN) {
      row.and(disk.allWritten()).extra("heapBytes", rpcCase.heapBytes());
    }
    return disk == null ? row : disk.addTo(row);
  }

  /**
   * Measured figures of Mercury, a peer of the same function: one service of 200 workers, a {@code
   * byte[]} body, the same sizes and the same number of requests in flight, 10 rounds; events per
   * second.
   */
  static final class MercuryFigures {
    /** Where the figures come from. */
    static final String SOURCE =
        "Mercury 4.11.10 (mercury-composable, JDK 25) measured on a 2-core machine of the same"
            + " kind";

    /**
     * Maxima by size, measured on one class of machine.
     *
     * @param bdb with the Berkeley DB store, one-way and two-way
     * @param file with the store of files, one-way and two-way
     */
    private record Maxima(int[][] bdb, int[][] file) {}

    private static final Maxima AMD =
        new Maxima(
            new int[][] {{32_190, 17_763, 12_934, 3_338}, {50_126, 23_008, 13_708, 3_140}},
            new int[][] {{32_595, 29_647, 15_018, 4_908}, {64_825, 25_565, 10_677, 2_823}});

    private static final Maxima INTEL =
        new Maxima(
            new int[][] {{32_544, 17_592, 8_536, 2_015}, {51_830, 19_916, 8_033, 1_692}},
            new int[][] {{33_542, 27_374, 9_888, 2_711}, {54_753, 24_718, 6_543, 1_646}});

    /** Those of the maker of this machine's CPU; of any other maker, those of AMD. */
    private static final Maxima HERE = Environment.cpuMaker().equals("intel") ? INTEL : AMD;

    private MercuryFigures() {}

    /** Its maximum with the Berkeley DB store. */
    static int bdbMax(RpcCase rpcCase) {
      return HERE.bdb[rpcCase.twoWay() ? 1 : 0][rpcCase.size()];
    }

    /** Its maximum with the better of its two stores. */
    static int betterMax(RpcCase rpcCase) {
      int file = HERE.file[rpcCase.twoWay() ? 1 : 0][rpcCase.size()];
      return Math.max(file, bdbMax(rpcCase));
    }
  }
}
