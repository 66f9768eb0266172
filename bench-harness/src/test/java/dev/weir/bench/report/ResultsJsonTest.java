package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsJsonTest {
  private static final String GOLDEN =
      """
      {"suite":"some-bench","profile":"quick","startedAt":"2026-01-02T03:04:05Z",
       "environment":{"jdk":"17.0.1 (Some)","os":"Linux 6 amd64","cpus":2,
         "maxHeapBytes":1073741824,"gc":"Parallel","gitCommit":"abc123",
         "versions":{"je":"18","vertx":"5.0.10"},
         "cpuModel":"Some CPU","memoryBytes":4294967296,"jvmFlags":["-Xmx1g"],
         "disk":"/dev/x ext4, write cache on"},
       "rows":[{"scenario":"rpc","case":"one-way","path":"memory","body":"buffer",
         "payloadBytes":74,"inFlight":10000,"workers":200,"rounds":10,"operations":1000000,
         "opsPerSec":{"min":1100000,"median":1250001,"max":1300000},
         "latencyUs":{"p50":1,"p99":2.501,"p99.9":2.501,"max":2.501},
         "percentilesUs":{"p25":1,"p50":1,"p75":2.501,"p90":2.501,"p95":2.501,"p97.5":2.501,
           "p99":2.501,"p99.5":2.501,"p99.75":2.501,"p99.9":2.501},
         "extra":{"loop":"closed","ratio":0.333,"spilled":{"share":0.5}},"verdict":"OK"}]}
      """;

  /** Reading into maps and writing back keeps the order of the members. */
  private static String compact(String json) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    return mapper.writeValueAsString(mapper.readValue(json, Map.class));
  }

  @Test
  void hasExactlyTheDocumentedLayoutInItsOrder() throws IOException {
    Row row =
        Samples.rpc()
            .latency(Samples.latencies())
            .extra("ratio", 1.0 / 3)
            .extra("spilled", Map.of("share", 0.5));
    assertThat(compact(ResultsJson.write(Samples.results(row)))).isEqualTo(compact(GOLDEN));
  }

  @Test
  void leavesOutFieldsThatAreNotSetAndKeepsEmptyObjects() throws IOException {
    String json = ResultsJson.write(Samples.results(Row.of("other")));
    assertThat(compact(json))
        .endsWith(
            "\"rows\":[{\"scenario\":\"other\",\"opsPerSec\":{},\"latencyUs\":{},\"extra\":{},"
                + "\"verdict\":\"FAIL: no verdict\"}]}");
  }

  @Test
  void writesAFigureThatIsNoNumberAsNull() throws IOException {
    Row row = Row.of("other").extra("ratio", Double.NaN);
    assertThat(compact(ResultsJson.write(Samples.results(row)))).contains("{\"ratio\":null}");
  }
}
