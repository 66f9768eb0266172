package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.http.HttpResult.XenonFigures;
import dev.weir.bench.report.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The text that compares the gateway with the bare server. */
final class HttpSummary {
  private static final double ASKED_OF_BARE = 0.7;
  private static final double ASKED_OF_XENON = 2;

  private final List<HttpResult> gateways;

  private HttpSummary(List<HttpResult> gateways) {
    this.gateways = gateways;
  }

  /** A table with a line for each case, and what others have measured of one of them. */
  static List<String> lines(List<HttpResult> results) {
    return new HttpSummary(
            results.stream().filter(result -> result.path() == HttpPath.GATEWAY).toList())
        .lines();
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("Medians, and the CPU time that the servers' event loop takes for a request:");
    lines.addAll(table().indented());
    gateways.stream()
        .filter(result -> result.httpCase().isXenons())
        .forEach(result -> lines.add(bound(result)));
    return lines;
  }

  private TextTable<HttpResult> table() {
    return new TextTable<>(gateways)
        .column("case", result -> result.httpCase().label())
        .column("body", result -> result.httpCase().body().toString())
        .column("bytes", result -> result.httpCase().bytes())
        .column("bare/s", result -> result.bare().opsPerSec().median())
        .column("gateway/s", result -> result.opsPerSec().median())
        .column("gateway / bare", HttpResult::ratioToBare)
        .column("bare us", result -> result.bare().cpu().serverUs())
        .column("gateway us", result -> result.cpu().serverUs())
        .column("Xenon/s", result -> result.httpCase().isXenons() ? XenonFigures.MEDIAN : null);
  }

  /** Says which of the two goals is the higher one: twice Xenon, or 0.7 of the bare server. */
  private static String bound(HttpResult result) {
    double ofXenon = ASKED_OF_XENON * XenonFigures.MEDIAN;
    double ofBare = ASKED_OF_BARE * result.bare().opsPerSec().median();
    return String.format(
        Locale.ROOT,
        "%s %s of %,d bytes: %.2f of bare, %.1f times Xenon's median. %.0f times that median,"
            + " %,.0f/s, is %s than %.1f of the bare server in this run, %,.0f/s. Xenon's figure,"
            + " for context: %s.",
        result.httpCase().label(),
        result.httpCase().body(),
        result.httpCase().bytes(),
        result.ratioToBare(),
        result.ratioToXenon(),
        ASKED_OF_XENON,
        ofXenon,
        ofXenon > ofBare ? "more" : "less",
        ASKED_OF_BARE,
        ofBare,
        XenonFigures.SOURCE);
  }
}
