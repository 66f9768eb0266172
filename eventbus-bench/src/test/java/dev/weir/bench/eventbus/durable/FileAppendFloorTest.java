package dev.weir.bench.eventbus.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileAppendFloorTest {
  @TempDir Path directory;

  /** Not a multiple of a packet. */
  private static final long OPERATIONS = 3 * FileAppendFloor.PACKET_MESSAGES + 1;

  @ParameterizedTest
  @EnumSource(FileAppendFloor.Mode.class)
  void readsBackAllItWroteAndLeavesNothing(FileAppendFloor.Mode mode) throws IOException {
    RoundResult result = new FileAppendFloor(directory, mode, 100).round(OPERATIONS);

    assertThat(result.verdict().toString()).isEqualTo("OK");
    assertThat(result.tally().good()).isEqualTo(OPERATIONS);
    assertThat(directory).isEmptyDirectory();
  }
}
