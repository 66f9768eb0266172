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
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JE renames the last log file if it can neither read the header nor ask for the size, and would go
 * on without the file.
 */
class MovedEndTest extends DamagedStoreTestBase {
  private static final int UNUSABLE = 3;
  private static final int BUFFER = 1 << 20;

  private static final Instant WRITTEN = Instant.parse("2026-11-20T12:13:14Z");

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
            ": copy the directory with its times; then, if the store was not used after "
                + WRITTEN
                + ", when the file was last written, name the file "
                + last.getFileName()
                + " again, else move the file out of the directory");
  }

  /** Of one log file, and of several. */
  @ParameterizedTest
  @ValueSource(ints = {1000, 4000})
  void aStoreIsNotOpenedWithoutTheFile(int messages) throws IOException {
    fillAndKill(messages);
    Files.setLastModifiedTime(last, FileTime.from(WRITTEN));
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

  @Test
  void theNewestOfSeveralIsNamedFirst() throws IOException {
    fillAndKill(1000);
    Files.setLastModifiedTime(last, FileTime.from(WRITTEN));
    Path older = killed().resolve(moved.getFileName() + ".1");
    Path other = killed().resolve("00000fff.bad");
    for (Path file : List.of(older, other)) {
      Files.copy(last, file);
      Files.setLastModifiedTime(file, FileTime.from(WRITTEN.minusSeconds(60)));
    }
    Files.move(last, moved);
    assertRefused();
    String written = ", last written " + WRITTEN.minusSeconds(60);
    assertThatThrownBy(() -> QueueStore.open(killedOptions()).close())
        .hasMessageContaining("; move out also " + older.getFileName() + written)
        .hasMessageEndingWith("; decide so too of 00000fff.bad" + written);
  }
}
