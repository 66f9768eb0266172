package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileLaneTest {
  @TempDir Path directory;

  /** Not a multiple of a packet. */
  private static final long OPERATIONS = 3 * FileLane.PACKET_MESSAGES + 1;

  @ParameterizedTest
  @EnumSource(FileLane.Mode.class)
  void readsBackAllItWroteAndLeavesNothing(FileLane.Mode mode) throws IOException {
    RoundResult result = new FileLane(directory, mode, 100).round(OPERATIONS);

    assertThat(result.verdict().toString()).isEqualTo("OK");
    assertThat(result.tally().good()).isEqualTo(OPERATIONS);
    assertThat(directory).isEmptyDirectory();
  }
}
