package dev.weir.bench.eventbus;

import dev.weir.bench.report.OpsPerSec;
import dev.weir.bench.report.RowBuilder;

/**
 * The figures of one path that are compared with others.
 *
 * @param rawMedian the median of the bare bus in the same rounds
 * @param disk what went to the disk tier in the measured rounds, or null for another path
 */
record RpcResult(
    RpcCase rpcCase,
    RequestPath path,
    Bodies.Kind kind,
    OpsPerSec opsPerSec,
    double rawMedian,
    DiskShare disk) {

  double ratioToRawBus() {
    return opsPerSec.median() / rawMedian;
  }

  double ratioToMercuryBetter() {
    return opsPerSec.median() / Mercury.betterMax(rpcCase);
  }

  double ratioToMercuryBdb() {
    return opsPerSec.median() / Mercury.bdbMax(rpcCase);
  }

  /** Fills in everything but the figures of the measurement. */
  RowBuilder addTo(RowBuilder row, RequestLane lane) {
    row.caseName(rpcCase.label())
        .path(path.toString())
        .body(kind.toString())
        .payloadBytes(rpcCase.bytes())
        .extra("bodyIs", lane.bodies.describe())
        .extra("check", lane.bodies.describeCheck() + "; each once and in order at the service")
        .extra("durability", "none: requests need none")
        .extra("handler", lane.describeHandler());
    if (path.hasPool()) {
      row.workers(RequestPath.WORKERS)
          .column("xRaw", ratioToRawBus())
          .extra("ratioToRawBus", ratioToRawBus())
          .extra("ratioToMercuryBetterMax", ratioToMercuryBetter())
          .extra("ratioToMercuryBdbMax", ratioToMercuryBdb())
          .extra("mercury", Mercury.SOURCE);
    }
    return disk == null ? row : disk.addTo(row);
  }
}
