package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.je.JeConfig;
import dev.weir.queue.je.LogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JE renames the last log file if it can neither read the header nor ask for the size, and would go
 * on without the file.
 */
class MovedEndTest extends DamagedStoreTestBase {
  private static final int UNUSABLE = 3;
  private static final int BUFFER = 1 << 20;

  private Path last;
  private Path moved;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  private void fillAndKill(int messages) throws IOException {
    fill(storeOptions(), messages, 0);
    List<Path> files = LogFiles.of(killed());
    last = files.get(files.size() - 1);
    moved = killed().resolve(last.getFileName().toString().replace(".jdb", ".bad"));
  }

  private void assertRefused() {
    assertThatThrownBy(() -> QueueStore.open(killedOptions()).close())
        .isInstanceOf(QueueException.class)
        .hasMessageContaining(moved + ": ")
        .hasMessageContaining(
            "copy the directory, then name this file " + last.getFileName() + " again");
  }

  /** Of one log file, and of several. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 4000})
  void aStoreIsNotOpenedWithoutTheFile(int messages) throws IOException {
    fillAndKill(messages);
    Files.move(last, moved);
    byte[] mark = Files.readAllBytes(killed().resolve("weir.end"));
    for (int turn = 0; turn < 2; turn++) {
      assertRefused();
    }
    // Without the mark too, and for other users of JE.
    EnvironmentConfig config = JeConfig.writable(BUFFER, BUFFER, BUFFER, BUFFER);
    assertThatThrownBy(() -> JeConfig.open(killed(), config))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(moved + ": ");
    assertThat(Files.readAllBytes(killed().resolve("weir.end"))).isEqualTo(mark);
    for (ToolRun run :
        List.of(ToolRun.of("verify", killed()), ToolRun.of("export", killed(), "--all"))) {
      assertThat(run.refused(UNUSABLE)).contains(moved + ": ");
    }
    Files.move(moved, last);
    assertAllIsThere(messages);
  }

  private void assertAllIsThere(int messages) {
    List<String> all = texts(0, messages, MESSAGE);
    all.add("last");
    assertThat(drainKilled(0)).isEqualTo(all);
  }
}
