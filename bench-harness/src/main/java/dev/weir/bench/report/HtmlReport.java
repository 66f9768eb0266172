package dev.weir.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The charts of result files as one page that loads nothing: each chart with the table of its rows,
 * in light, dark and print. The script of the page draws with Chart.js, which is inside the page.
 */
public final class HtmlReport {
  /** Name of the page. */
  public static final String FILE_NAME = "report.html";

  private static final String CHART_JS =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The columns of a table after the fields of the rows; one without any value is left out. */
  private static final Map<String, Function<PublishedRow, Object>> FIGURES = new LinkedHashMap<>();

  static {
    FIGURES.put("asked/s", row -> row.get("extra.targetPerSec"));
    FIGURES.put("min/s", row -> row.get("opsPerSec.min"));
    FIGURES.put("median/s", row -> row.get("opsPerSec.median"));
    FIGURES.put("max/s", row -> row.get("opsPerSec.max"));
    for (String percentile : List.of("p50", "p99", "p99.9", "max")) {
      FIGURES.put(percentile + " us", row -> row.get("latencyUs." + percentile));
    }
    FIGURES.put("outage ms", row -> row.get("extra.outageMs.median"));
    FIGURES.put("worst ms", row -> row.get("extra.outageMs.max"));
    FIGURES.put("GC %", HtmlReport::collectorPercent);
    FIGURES.put("noise p99 us", row -> row.get("extra.jitterUs.p99"));
    FIGURES.put("steal %", row -> row.get("extra.stealPercent"));
    FIGURES.put("verdict", PublishedRow::verdict);
  }

  private HtmlReport() {}

  /**
   * Writes the page of result files.
   *
   * @param results a result file, or a directory of them
   * @throws IOException if a file cannot be read or written: the message says which
   */
  public static void write(Path results, Path page) throws IOException {
    Path absolute = page.toAbsolutePath();
    Files.createDirectories(absolute.getParent());
    Files.writeString(absolute, page(PublishedRun.readAll(results)));
  }

  /** The page of these runs. */
  static String page(List<PublishedRun> runs) throws IOException {
    List<Chart> charts = new ArrayList<>();
    StringBuilder contents = new StringBuilder();
    StringBuilder sections = new StringBuilder();
    for (PublishedRun run : runs) {
      List<Chart> own = Charts.of(run);
      charts.addAll(own);
      String id = escaped(run.suite());
      sections.append(
          String.format(
              "<section aria-labelledby=\"%s\"><h2 id=\"%s\">%s</h2>\n<p>%s</p>\n",
              id, id, id, escaped(about(run))));
      for (Chart chart : own) {
        contents.append(
            String.format(
                "<li><a href=\"#%s\">%s: %s</a></li>\n",
                escaped(chart.id()), id, escaped(chart.title())));
        sections.append(figure(chart));
      }
      sections.append(
          own.isEmpty() ? "<p>The rows allow no chart.</p></section>\n" : "</section>\n");
    }
    return resource("report.html")
        .replace("{{style}}", resource("report.css"))
        .replace("{{contents}}", contents)
        .replace("{{sections}}", sections)
        .replace("{{data}}", data(charts))
        .replace("{{library}}", resource(CHART_JS))
        .replace("{{script}}", resource("report.js"));
  }

  private static String about(PublishedRun run) {
    return String.format(
        "%s profile, %s, commit %s. %s, %s CPUs; %s; JDK %s, collector %s.",
        run.text("profile"),
        run.text("startedAt"),
        run.text("environment.gitCommit"),
        run.text("environment.cpuModel"),
        run.text("environment.cpus"),
        run.text("environment.os"),
        run.text("environment.jdk"),
        run.text("environment.gc"));
  }

  private static String figure(Chart chart) {
    String id = escaped(chart.id());
    String title = escaped(chart.title());
    return String.format(
        """
        <figure id="%s">
        <figcaption><h3>%s</h3><p>%s</p></figcaption>
        <div class="canvas"><canvas role="img" aria-label="%s: the table below has the figures">\
        </canvas></div>
        <div class="table" role="region" aria-label="Table of %s" tabindex="0">%s</div>
        </figure>
        """,
        id, title, escaped(chart.about()), title, title, table(chart));
  }

  private static String table(Chart chart) {
    Map<String, Function<PublishedRow, Object>> columns = new LinkedHashMap<>();
    for (String field : Row.FIELDS.subList(1, Row.FIELDS.size())) {
      columns.put(field, row -> row.get(field));
    }
    columns.putAll(FIGURES);
    columns
        .values()
        .removeIf(cell -> chart.rows().stream().allMatch(row -> cell.apply(row) == null));
    StringBuilder table = new StringBuilder("<table><thead><tr>");
    columns
        .keySet()
        .forEach(name -> table.append("<th scope=\"col\">").append(name).append("</th>"));
    table.append("</tr></thead><tbody>\n");
    for (PublishedRow row : chart.rows()) {
      table.append("<tr>");
      columns.values().forEach(cell -> table.append(cell(cell.apply(row))));
      table.append("</tr>\n");
    }
    return table.append("</tbody></table>").toString();
  }

  private static String cell(Object value) {
    return value instanceof Number
        ? "<td class=\"n\">" + Figures.text(value) + "</td>"
        : "<td>" + (value == null ? "" : escaped(value.toString())) + "</td>";
  }

  private static Double collectorPercent(PublishedRow row) {
    double percent =
        100 * row.number("extra.gcPauseMs") / row.number("extra." + Doubts.MEASURED_MS);
    return Double.isNaN(percent) ? null : (Double) percent;
  }

  /** No text of a row can end the element that holds the data. */
  private static String data(List<Chart> charts) throws JsonProcessingException {
    return MAPPER
        .writeValueAsString(charts.stream().map(Chart::data).toList())
        .replace("<", "\\u003c");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
