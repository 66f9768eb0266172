package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.http.LoopCpuTime.RequestCpu;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;

/**
 * The figures of one server in one case, for comparison with others.
 *
 * @param cpu CPU time of the event loops for one request
 * @param bare the result of the bare server in the same case and run; null if this is it
 */
record HttpResult(
    HttpCase httpCase, HttpPath path, Spread opsPerSec, RequestCpu cpu, HttpResult bare) {

  double ratioToBare() {
    return opsPerSec.median() / bare.opsPerSec.median();
  }

  double ratioToXenon() {
    return opsPerSec.median() / XenonFigures.MEDIAN;
  }

  /** Fills in everything but the figures of the measurement. */
  Row addTo(Row row, HttpWorkload workload) {
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

  /**
   * Measured figures of Xenon: a PUT of a state of 330 bytes of JSON over HTTP, 128 services, 5
   * rounds.
   */
  static final class XenonFigures {
    /** Where the figures come from. */
    static final String SOURCE =
        "Xenon (xenon-common 1.6.14.1, JDK 17), PUT of 330 bytes of JSON over loopback HTTP,"
            + " measured on a 2-core machine of the same kind: min 20,257, median 23,152, max"
            + " 30,120/s";

    /** Its median, in requests a second. */
    static final int MEDIAN = 23_152;

    private XenonFigures() {}
  }
}
