package dev.weir.bench.report;

import dev.weir.bench.env.Environment;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Results with fixed content. */
final class Samples {
  private Samples() {}

  static Row rpc() {
    return Row.of("rpc")
        .operations(1_000_000)
        .rounds(10)
        .workers(200)
        .inFlight(10_000)
        .payloadBytes(74)
        .body("buffer")
        .path("memory")
        .caseName("one-way")
        .opsPerSec(new Spread(1_100_000.4, 1_250_000.5, 1_300_000))
        .extra("loop", "closed")
        .verdict(Verdict.ok());
  }

  static Recording latencies() {
    Recording recording = Recording.singleWriter();
    for (int i = 0; i < 5_000; i++) {
      recording.record(1_000);
      recording.record(2_500);
    }
    return recording;
  }

  static Results results(Row... rows) {
    Environment environment =
        new Environment(
            "17.0.1 (Some)",
            "Linux 6 amd64",
            2,
            1L << 30,
            "Parallel",
            "abc123",
            Map.of("vertx", "5.0.10", "je", "18"),
            "Some CPU",
            4L << 30,
            List.of("-Xmx1g"),
            "/dev/x ext4, write cache on");
    Instant startedAt = Instant.parse("2026-01-02T03:04:05.678Z");
    return new Results("some-bench", "quick", startedAt, environment, List.of(rows), List.of());
  }
}
