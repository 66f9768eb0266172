package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.http.LoopCpuTime.RequestCpu;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.Spread;
import java.util.Locale;

/**
 * The figures of one server in one case, for comparison with others.
 *
 * @param cpu CPU time of the event loops for one request
 * @param bare the result of the bare server in the same case and run; null if this is it
 */
record HttpResult(
    HttpCase httpCase, HttpPath path, Spread opsPerSec, RequestCpu cpu, HttpResult bare) {
  private static final double ASKED_OF_BARE = 0.7;
  private static final double ASKED_OF_XENON = 2;

  double ratioToBare() {
    return opsPerSec.median() / bare.opsPerSec.median();
  }

  double ratioToXenon() {
    return opsPerSec.median() / XenonFigures.MEDIAN;
  }

  /**
   * Says which of the two bounds of the gateway is the higher one: twice Xenon, or 0.7 of the bare
   * server.
   */
  String bound() {
    double ofXenon = ASKED_OF_XENON * XenonFigures.MEDIAN;
    double ofBare = ASKED_OF_BARE * bare.opsPerSec().median();
    return String.format(
        Locale.ROOT,
        "%s %s of %,d bytes: %.2f of bare, %.1f times Xenon's median. %.0f times that median,"
            + " %,.0f/s, is %s than %.1f of the bare server in this run, %,.0f/s. Xenon's figure,"
            + " for context: %s.",
        httpCase.label(),
        httpCase.body(),
        httpCase.bytes(),
        ratioToBare(),
        ratioToXenon(),
        ASKED_OF_XENON,
        ofXenon,
        ofXenon > ofBare ? "more" : "less",
        ASKED_OF_BARE,
        ofBare,
        XenonFigures.SOURCE);
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
