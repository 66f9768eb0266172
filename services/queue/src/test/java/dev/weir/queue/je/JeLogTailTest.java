package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueReader;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueTestBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A process that was killed when it had just begun a log file, and the next one, killed as well: JE
 * by itself forgets what the second wrote.
 */
class JeLogTailTest extends QueueTestBase {
  private static final int HEADER_BYTES = 38;

  /** Large ones, so that the file they do not fit in any more has room for small ones. */
  private static final int LARGE_BYTES = 200_000;

  private Path copy(Path from, String name) throws IOException {
    Path to = Files.createDirectories(directory.resolve(name));
    for (Path file : files(from)) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
    Path format = from.resolve(StoreDirectory.FORMAT_FILE);
    Files.copy(format, to.resolve(format.getFileName()));
    return to;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jdb")).sorted().toList();
    }
  }

  private QueueStore open(Path where) {
    return QueueStore.open(storeOptions().setDirectory(where).setSegmentThresholdBytes(0));
  }

  /** Appends until the log has one file more, and returns how the log was left by a kill then. */
  private Path killedBehindAHeader(String name) throws IOException {
    Path live = directory.resolve(name);
    try (QueueStore store = open(live);
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 1, LARGE_BYTES));
      int before = files(live).size();
      for (int i = 1; files(live).size() == before; i++) {
        appendAll(queue, texts(i, i + 1, LARGE_BYTES));
      }
      Path killed = copy(live, name + "-killed");
      List<Path> files = files(killed);
      Path last = files.get(files.size() - 1);
      Files.write(last, Arrays.copyOf(Files.readAllBytes(last), HEADER_BYTES));
      return killed;
    }
  }

  @Test
  void whatIsWrittenBehindAFileWithNothingButAHeaderIsKept() throws IOException {
    Path killed = killedBehindAHeader("first");
    List<String> kept = new ArrayList<>();
    Path again;
    try (QueueStore store = open(killed);
        DurableQueue<String> queue = openQueue(store)) {
      int found = (int) queue.waiting();
      List<String> small = texts(1000, 1010, 100);
      appendAll(queue, small);
      kept.addAll(texts(0, found, LARGE_BYTES));
      kept.addAll(small);
      for (int i = 2000; i < 2006; i++) {
        List<String> large = texts(i, i + 1, LARGE_BYTES);
        appendAll(queue, large);
        kept.addAll(large);
      }
      again = copy(killed, "again");
    }
    try (QueueStore store = open(again);
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain((int) queue.waiting())).isEqualTo(kept);
    }
  }

  @Test
  void filesWithAnEntryAndTheOnlyFileAreLeftAlone() throws IOException {
    Path only = Files.createDirectories(directory.resolve("only"));
    Files.write(only.resolve("00000000.jdb"), new byte[HEADER_BYTES]);
    JeLogTail.trim(only);
    assertThat(files(only)).hasSize(1);
    Files.write(only.resolve("00000001.jdb"), new byte[HEADER_BYTES + 1]);
    Files.write(only.resolve("00000002.jdb"), new byte[HEADER_BYTES]);
    Files.write(only.resolve("00000003.jdb"), new byte[0]);
    Files.write(only.resolve("7fffffff.jdb"), new byte[1]);
    JeLogTail.trim(only);
    assertThat(files(only))
        .as("with JE's mark that it refuses the log")
        .extracting(file -> file.getFileName().toString())
        .containsExactly("00000000.jdb", "00000001.jdb", "7fffffff.jdb");
  }
}
