package dev.weir.bench.eventbus.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.RoundResult;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HttpWorkloadTest {
  private static final int MANY = 200;
  private static final int FEW = 20;

  @TempDir Path directory;
  private HttpFixture fixture;

  @BeforeEach
  void open() throws Exception {
    fixture = HttpFixture.on(ServiceFixture.in(directory));
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private void earnsItsVerdict(HttpPath path, HttpCase httpCase, long operations) throws Exception {
    try (HttpWorkload workload = new HttpWorkload(fixture, path, httpCase)) {
      for (int i = 0; i < 2; i++) {
        RoundResult result = workload.meteredRound(operations);

        assertThat(result.verdict().toString()).as("%s %s", path, httpCase).isEqualTo("OK");
        assertThat(result.tally().good()).isEqualTo(operations);
      }
      assertThat(workload.share().serverUs()).as("CPU time of the servers' loop").isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void everyRequestComesToTheReceiverOnceAndItsAnswerBack(HttpProtocol protocol) throws Exception {
    for (HttpPath path : HttpPath.values()) {
      for (HttpBody body : HttpBody.values()) {
        earnsItsVerdict(path, new HttpCase(protocol, body, false, 330), MANY);
        earnsItsVerdict(path, new HttpCase(protocol, body, true, 10_068), MANY);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void theLargestBodiesComeBackToo(HttpProtocol protocol) throws Exception {
    for (HttpPath path : HttpPath.values()) {
      for (HttpBody body : HttpBody.values()) {
        earnsItsVerdict(path, new HttpCase(protocol, body, true, 500_070), FEW);
      }
    }
  }
}
