package dev.weir.bench.cluster.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.cluster.ClusterBench;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.program.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In a process of its own, because the client of Ratis keeps timer threads for the whole JVM. */
@Tag("slow")
class PeerLogsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int HEAP_MIB = 512;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(PeerKind.class)
  void thePeerHoldsWhatItAccepted(PeerKind kind) throws Exception {
    ChildJvm.Outcome outcome = run("peer-logs.peers=" + kind);

    assertThat(outcome.exitCode()).as(outcome.describe()).isEqualTo(ExitCodes.OK);
  }

  @Test
  void anUnknownPeerIsRefused() throws Exception {
    ChildJvm.Outcome outcome = run("peer-logs.peers=raft");

    assertThat(outcome.exitCode()).as(outcome.describe()).isEqualTo(ExitCodes.VERDICT_FAILED);
    assertThat(outcome.describe()).contains("peer-logs.peers is raft, allowed is one of");
  }

  private ChildJvm.Outcome run(String setting) throws IOException, InterruptedException {
    List<String> arguments =
        List.of(
            "--scenario",
            "peer-logs",
            "--set",
            "scale=0.01",
            "--set",
            setting,
            "--out",
            directory.toString());
    return ChildJvm.run(ChildFlags.of(HEAP_MIB), ClusterBench.class, arguments, PATIENCE);
  }
}
