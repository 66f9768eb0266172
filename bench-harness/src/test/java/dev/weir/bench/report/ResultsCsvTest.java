package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ResultsCsvTest {

  @Test
  void writesFieldsFiguresAndExtrasUnderOneHeader() {
    Row first = Samples.rpc().latency(Samples.latencies()).extra("a", Map.of("b", 0.5));
    Row second = Row.of("other").verdict(Verdict.ok()).extra("c", 7);
    assertThat(ResultsCsv.write(List.of(first, second)))
        .isEqualTo(
            "scenario,case,path,body,flush,backlog,payloadBytes,inFlight,workers,rounds,operations,"
                + "opsPerSec.min,opsPerSec.median,opsPerSec.max,latencyUs.p50,latencyUs.p99,"
                + "latencyUs.p99.9,latencyUs.max,percentilesUs.p25,percentilesUs.p50,percentilesUs.p75,"
                + "percentilesUs.p90,percentilesUs.p95,percentilesUs.p97.5,percentilesUs.p99,percentilesUs.p99.5,percentilesUs.p99.75,percentilesUs.p99.9,extra.loop,extra.a.b,verdict,extra.c\r\n"
                + "rpc,one-way,memory,buffer,,,74,10000,200,10,1000000,1100000,1250001,1300000,1,2.501,2.501,2.501,1,1,2.501,2.501,2.501,2.501,2.501,2.501,2.501,2.501,closed,0.5,OK,\r\n"
                + "other,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,OK,7\r\n");
  }

  @Test
  void quotesCommasQuotesAndLineBreaks() {
    Row row = Row.of("a,b").verdict(Verdict.fail("said \"no\"\nand left"));
    assertThat(ResultsCsv.write(List.of(row)))
        .contains("\r\n\"a,b\",")
        .contains(",\"FAIL: said \"\"no\"\"\nand left\"");
  }

  @Test
  void hasWhatTheJsonFormHas() throws IOException {
    Results results =
        Samples.results(
            Samples.rpc().latency(Samples.latencies()).ratio("xRaw", Spread.of(0.81, 0.7, 0.9)),
            Row.of("a \"b\", c\nd")
                .extra("flags", List.of("-Xmx1g", "-Dx=y"))
                .extra("none", null)
                .extra("small", 0.0004)
                .verdict(Verdict.fail("lost 1, twice 2")));
    assertSame(ResultsCsv.write(results.rows()), ResultsJson.write(results));
  }

  @Test
  void thePublishedFilesOfEachRunHaveTheSameFigures() throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    List<Path> files;
    try (Stream<Path> found = Files.walk(root.resolve(BenchmarkReport.RESULTS), 2)) {
      files = found.filter(file -> file.toString().endsWith(".csv")).toList();
    }
    assertThat(files).isNotEmpty();
    for (Path csv : files) {
      String json = csv.toString().replaceAll("csv$", "json");
      assertSame(Files.readString(csv), Files.readString(Path.of(json)));
    }
  }

  /** Each figure of the JSON form that is no list of numbers is a cell, and there are no others. */
  private static void assertSame(String csv, String json) throws IOException {
    List<List<String>> lines = parsed(csv);
    List<Map<String, String>> cells = new ArrayList<>();
    for (List<String> line : lines.subList(1, lines.size())) {
      Map<String, String> row = new TreeMap<>();
      for (int i = 0; i < line.size(); i++) {
        if (!line.get(i).isEmpty()) {
          row.put(lines.get(0).get(i), line.get(i));
        }
      }
      cells.add(row);
    }
    List<Map<String, String>> rows = new ArrayList<>();
    for (PublishedRow row : PublishedRun.of(json).rows()) {
      Map<String, String> flat = new TreeMap<>();
      flatten("", row.json(), flat);
      rows.add(flat);
    }
    assertThat(cells).isEqualTo(rows);
  }

  private static void flatten(String prefix, Map<?, ?> map, Map<String, String> into) {
    map.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner) {
            flatten(prefix + name + ".", inner, into);
          } else if (value != null
              && !(value instanceof List<?> list
                  && !list.isEmpty()
                  && list.get(0) instanceof Number)) {
            into.put(prefix + name, value.toString());
          }
        });
  }

  /** The cells by line, as RFC 4180 says. */
  private static List<List<String>> parsed(String csv) {
    List<List<String>> lines = new ArrayList<>();
    List<String> line = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < csv.length(); i++) {
      char c = csv.charAt(i);
      if (c == '"' && quoted && i + 1 < csv.length() && csv.charAt(i + 1) == '"') {
        cell.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (quoted || c != ',' && c != '\r' && c != '\n') {
        cell.append(c);
      } else if (c != '\n') {
        line.add(cell.toString());
        cell.setLength(0);
        if (c == '\r') {
          lines.add(line);
          line = new ArrayList<>();
        }
      }
    }
    return lines;
  }
}
