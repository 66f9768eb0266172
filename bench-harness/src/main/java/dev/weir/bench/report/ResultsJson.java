package dev.weir.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.weir.bench.record.LatencySummary;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The stable JSON form. Plain fields that are not set are absent; {@code opsPerSec}, {@code
 * latencyUs} and {@code extra} are always objects, empty when there is nothing to say.
 */
final class ResultsJson {
  /** The lines of the module's template, after the rows. */
  static final String REPORT = "report";

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private ResultsJson() {}

  /** The results as a JSON document that ends with a line feed. */
  static String write(Results results) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("suite", results.suite());
    document.put("profile", results.profile());
    document.put("startedAt", results.startedAt().truncatedTo(ChronoUnit.SECONDS).toString());
    document.put("environment", results.environment());
    document.put("rows", results.rows().stream().map(ResultsJson::row).toList());
    if (!results.template().isEmpty()) {
      document.put(REPORT, results.template());
    }
    try {
      return MAPPER.writeValueAsString(document) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("an extra has no JSON form: " + e.getMessage(), e);
    }
  }

  /** A row with rounded figures, as objects of the JSON document. */
  static Map<String, Object> row(Row row) {
    Map<String, Object> map = new LinkedHashMap<>(row.fields());
    map.put("opsPerSec", rounded(row.opsPerSec() == null ? Map.of() : row.opsPerSec().toMap()));
    map.put("latencyUs", rounded(row.latency() == null ? Map.of() : row.latency().toMap()));
    Histogram latencies = row.histograms().get("");
    if (latencies != null && latencies.getTotalCount() > 0) {
      map.put("percentilesUs", rounded(LatencySummary.curve(latencies)));
    }
    map.put("extra", rounded(row.extra()));
    map.put("verdict", row.verdict().toString());
    return map;
  }

  private static Object rounded(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> copy = new LinkedHashMap<>();
      map.forEach((name, inner) -> copy.put(String.valueOf(name), rounded(inner)));
      return copy;
    }
    if (value instanceof List<?> list) {
      return list.stream().map(ResultsJson::rounded).toList();
    }
    return value instanceof Double figure ? Figures.rounded(figure) : value;
  }
}
