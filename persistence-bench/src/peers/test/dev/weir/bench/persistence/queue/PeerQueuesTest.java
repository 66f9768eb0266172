package dev.weir.bench.persistence.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.ExitCodes;
import dev.weir.bench.persistence.PersistenceBench;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.verify.Payload;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class PeerQueuesTest {
  private static final int MESSAGES = 2_000;
  private static final int BYTES = 10_000;

  @TempDir Path directory;

  @Test
  void everyContenderGivesBackWhatItAccepted() {
    int exitCode =
        new PersistenceBench()
            .execute(
                "--scenario", "peer-queues", "--set", "scale=0.01", "--out", directory.toString());

    assertThat(exitCode).isEqualTo(ExitCodes.OK);
  }

  @ParameterizedTest(name = "paging {0}")
  @ValueSource(booleans = {false, true})
  void artemisKeepsWhatItAcceptedWhenItIsStartedAgain(boolean paging) throws Exception {
    try (ArtemisPeer queue = open(paging)) {
      queue.append(MESSAGES);
      assertThat(queue.waiting()).isEqualTo(MESSAGES);
    }
    try (ArtemisPeer queue = open(paging)) {
      queue.drain(MESSAGES);
      assertThat(queue.verdict().toString()).isEqualTo("OK");
    }
  }

  private ArtemisPeer open(boolean paging) throws Exception {
    Payload payload = new Payload(1, BYTES);
    return new ArtemisPeer(directory, 0, Flush.DISK, paging, MESSAGES, payload, 100);
  }
}
