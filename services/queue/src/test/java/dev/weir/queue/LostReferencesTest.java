package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogFiles;
import dev.weir.queue.segment.SegmentDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store whose log has lost references to messages in segments, and has no weir.end. */
class LostReferencesTest extends DamagedStoreTestBase {
  private static final int LARGE = 100_000;
  private static final int ALL = 20;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(32 << 10);
  }

  /** So many small messages in the log first that what follows is in another file. */
  private void fill(int smallMessages) throws IOException {
    try (QueueStore store = openStore();
        DurableQueue<String> small = openQueue(store, "small", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> large = openQueue(store)) {
      appendAll(small, texts(0, smallMessages, MESSAGE));
      appendAll(large, texts(0, ALL, LARGE));
      KilledStore.awaitWritten(large);
      KilledStore.awaitWritten(small);
      kill();
    }
    Files.delete(killed().resolve("weir.end"));
  }

  @Test
  void segmentsWithoutReferencesAreKeptSoThatAFileThatIsFoundBringsTheirMessagesBack()
      throws IOException {
    fill(2_500);
    List<Path> logs = LogFiles.of(killed());
    assertThat(logs).hasSize(2);
    Path away = directory.resolve("away.jdb");
    Files.move(logs.get(1), away);
    List<Path> segments = SegmentDirectory.of(killed());
    assertThat(segments).isNotEmpty();

    QueueStore.open(killedOptions()).close();

    assertThat(SegmentDirectory.of(killed())).isEmpty();
    for (Path segment : segments) {
      Files.move(killed().resolve("damaged").resolve(segment.getFileName()), segment);
    }
    for (Path log : LogFiles.of(killed())) {
      Files.delete(log);
    }
    Files.deleteIfExists(killed().resolve("weir.end"));
    Files.copy(data().resolve(logs.get(0).getFileName()), logs.get(0));
    Files.move(away, logs.get(1));
    assertThat(drainKilled(0)).isEqualTo(texts(0, ALL, LARGE));
  }
}
