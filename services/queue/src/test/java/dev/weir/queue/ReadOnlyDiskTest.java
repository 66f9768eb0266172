package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A store on a file system that was made read-only, as Linux does after a fault of the disk. */
@Tag("slow")
class ReadOnlyDiskTest extends QueueTestBase {
  private static final int ALL = 20;
  private static final int UNUSABLE = 3;

  private SmallDisk disk;

  @BeforeEach
  void fill() throws IOException {
    disk = SmallDisk.mount(directory.resolve("disk"), 64);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, 100));
    }
    disk.readOnly(true);
  }

  @AfterEach
  void unmount() {
    disk.unmount();
  }

  private Path data() {
    return directory.resolve("disk").resolve("data");
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setDirectory(data()).setMinFreeBytes(1 << 20);
  }

  private Map<String, Long> files() throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> all = Files.walk(data())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        sizes.put(data().relativize(file).toString(), Files.size(file));
      }
    }
    return sizes;
  }

  @Test
  void itIsReadAndWhatWouldChangeItIsRefusedByNameAndChangesNothing() throws IOException {
    Map<String, Long> before = files();
    for (String command : List.of("list", "stats", "verify")) {
      ToolRun.of(command, data()).ok();
    }
    assertThat(ToolRun.of("export", data(), "--all").ok().lines()).hasSize(ALL);

    for (String command : List.of("compact", "import")) {
      String refusal = ToolRun.of(command, data()).refused(UNUSABLE);
      assertThat(refusal).contains("" + data(), "Read-only file system");
      assertThat(refusal).doesNotContain("damaged", "move", "delete", "holds no store");
    }
    QueueException failure = catchThrowableOfType(QueueException.class, this::openStore);
    assertThat(failure.reason()).isEqualTo(Reason.DIRECTORY_UNUSABLE);
    assertThat(failure).hasMessageContaining("Read-only file system");
    assertThat(files()).isEqualTo(before);

    disk.readOnly(false);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(ALL);
    }
  }
}
