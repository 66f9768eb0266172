package dev.weir.bench.eventbus.rpc;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.DiskShare;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.RequestWorkload;
import dev.weir.bench.report.OpsPerSec;
import dev.weir.bench.report.RowBuilder;
import java.util.Comparator;

/**
 * The figures of one path in one case, for comparison with others.
 *
 * @param rawMedian the median of the bare bus with the same requests in the same run
 * @param disk what went to the disk tier in the measured rounds, or null for another path
 */
record RpcResult(
    RpcCase rpcCase,
    RequestPath path,
    Bodies.Kind kind,
    OpsPerSec opsPerSec,
    double rawMedian,
    DiskShare disk) {

  /** The order of the table: by case, body and path. */
  static final Comparator<RpcResult> BY_CASE =
      Comparator.comparing((RpcResult result) -> RpcCase.all().indexOf(result.rpcCase))
          .thenComparing(RpcResult::kind)
          .thenComparing(RpcResult::path);

  /** Whether this is the bare bus for that case and kind of body. */
  boolean isFloorOf(RpcCase otherCase, Bodies.Kind otherKind) {
    return path == RequestPath.RAW_BUS && rpcCase.equals(otherCase) && kind == otherKind;
  }

  double ratioToRawBus() {
    return opsPerSec.median() / rawMedian;
  }

  double ratioToMercuryBetter() {
    return opsPerSec.median() / MercuryFigures.betterMax(rpcCase);
  }

  double ratioToMercuryBdb() {
    return opsPerSec.median() / MercuryFigures.bdbMax(rpcCase);
  }

  /** Fills in everything but the figures of the measurement. */
  RowBuilder addTo(RowBuilder row, RequestWorkload workload) {
    row.caseName(rpcCase.label())
        .path(path.toString())
        .body(kind.toString())
        .payloadBytes(rpcCase.bytes())
        .extra("bodyIs", workload.bodies.describe())
        .extra("check", workload.bodies.describeCheck() + "; each once and in order at the service")
        .extra("durability", "none: requests need none")
        .extra("handler", workload.describeHandler());
    if (path.hasPool()) {
      row.workers(RequestPath.WORKERS)
          .column("xRaw", ratioToRawBus())
          .extra("ratioToRawBus", ratioToRawBus())
          .extra("ratioToMercuryBetterMax", ratioToMercuryBetter())
          .extra("ratioToMercuryBdbMax", ratioToMercuryBdb())
          .extra("mercury", MercuryFigures.SOURCE);
    }
    return disk == null ? row : disk.addTo(row);
  }
}
