package dev.weir.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A run of a module as it stands in its result file.
 *
 * @param json the members of the document
 * @param rows all rows
 * @param template what the module shows in the report
 */
record PublishedRun(Map<?, ?> json, List<PublishedRow> rows, ReportTemplate template) {
  /** What the name of a result file ends with. */
  static final String JSON = ".json";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Reads a result file. */
  static PublishedRun read(Path file) throws IOException {
    try {
      return of(Files.readString(file));
    } catch (ClassCastException | IllegalArgumentException | JsonProcessingException e) {
      throw new IOException(file + " is no result file: " + e.getMessage(), e);
    }
  }

  /** Reads a result file, or those of a directory in the order of the report. */
  static List<PublishedRun> readAll(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(read(path));
    }
    List<PublishedRun> runs = new ArrayList<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path json : files.filter(file -> file.toString().endsWith(JSON)).sorted().toList()) {
        runs.add(read(json));
      }
    }
    runs.sort(Comparator.comparingInt(run -> run.template().section));
    return runs;
  }

  static PublishedRun of(String document) throws IOException {
    Map<?, ?> json = MAPPER.readValue(document, Map.class);
    if (!json.containsKey("rows")) {
      throw new IllegalArgumentException("it has no rows");
    }
    List<PublishedRow> rows =
        ((List<?>) json.get("rows"))
            .stream().map(row -> new PublishedRow((Map<?, ?>) row)).toList();
    Object lines = json.get(ResultsJson.REPORT);
    List<String> template =
        lines == null ? List.of() : ((List<?>) lines).stream().map(String::valueOf).toList();
    return new PublishedRun(json, rows, ReportTemplate.parse(template));
  }

  /** The name of the module. */
  String suite() {
    return text("suite");
  }

  /** The text at a path of names. */
  String text(String path) {
    return String.valueOf(new PublishedRow(json).get(path));
  }

  /** The rows that the template names. */
  Map<String, PublishedRow> named() {
    Map<String, PublishedRow> named = new LinkedHashMap<>();
    template.rows.forEach(
        (name, selector) -> selector.first(rows).ifPresent(row -> named.put(name, row)));
    template.others.forEach(
        (name, headline) -> {
          if (named.get(name) == named.get(headline)) {
            named.remove(name);
          }
        });
    return named;
  }
}
