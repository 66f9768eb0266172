package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.verify.Verdict;
import java.util.List;
import java.util.Map;
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
}
