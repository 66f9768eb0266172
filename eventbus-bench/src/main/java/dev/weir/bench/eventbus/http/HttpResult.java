package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.report.OpsPerSec;
import dev.weir.bench.report.RowBuilder;

/**
 * The figures of one server in one case, for comparison with others.
 *
 * @param cpu CPU time of the event loops for one request
 * @param bare the result of the bare server in the same case and run; null if this is it
 */
record HttpResult(
    HttpCase httpCase, HttpPath path, OpsPerSec opsPerSec, RequestCpu cpu, HttpResult bare) {

  double ratioToBare() {
    return opsPerSec.median() / bare.opsPerSec.median();
  }

  double ratioToXenon() {
    return opsPerSec.median() / XenonFigures.MEDIAN;
  }

  /** Fills in everything but the figures of the measurement. */
  RowBuilder addTo(RowBuilder row, HttpWorkload workload) {
    row.caseName(httpCase.label())
        .path(path.toString())
        .body(httpCase.body().toString())
        .payloadBytes(httpCase.bytes())
        .extra("bodyIs", workload.bodies.describe())
        .extra(
            "check",
            workload.bodies.describeCheck() + "; status of every answer; each once at the service")
        .extra("protocol", httpCase.protocol().describe(httpCase.inFlight()));
    if (path == HttpPath.GATEWAY) {
      row.column("xBare", ratioToBare()).extra("workers", RequestPath.WORKERS);
    }
    if (httpCase.isXenons()) {
      row.extra("xenonMedianPerSec", XenonFigures.MEDIAN)
          .extra("ratioToXenonMedian", ratioToXenon())
          .extra("xenon", XenonFigures.SOURCE);
    }
    return row.column("client us", cpu.clientUs()).column("server us", cpu.serverUs());
  }
}
