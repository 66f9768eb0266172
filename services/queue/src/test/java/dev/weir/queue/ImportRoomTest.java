package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An import that needs more room than the disk has. */
class ImportRoomTest extends QueueTestBase {
  private static final int UNUSABLE = 3;
  private static final int DISK_MIB = 32;
  private static final int BODY = 1 << 20;

  private SmallDisk smallDisk;
  private Path data;

  @BeforeEach
  void mount() throws IOException {
    smallDisk = SmallDisk.mount(directory.resolve("disk"), DISK_MIB);
    data = directory.resolve("disk").resolve("data");
  }

  @AfterEach
  void unmount() {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  private static String lines(int count, int bodyBytes) {
    return ("{\"queue\":\"q\",\"text\":\"" + "x".repeat(bodyBytes) + "\"}\n").repeat(count);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void anImportStopsWithRoomKeptNamesTheLineAndWhatItHasDoneCanBePurged(int minFreeMib) {
    int minFree = minFreeMib << 20;
    ToolRun run =
        ToolRun.withInput(
            lines(DISK_MIB, BODY), "import", data, "--json", "--min-free-bytes", minFree);

    assertThat(run.exitCode()).as(run.err()).isEqualTo(UNUSABLE);
    long imported = Long.parseLong(run.out().replaceAll("\\D*(\\d+),.*\\s*", "$1"));
    assertThat(imported).isBetween(DISK_MIB / 2L, DISK_MIB - (long) minFreeMib);
    assertThat(run.err())
        .contains(
            "line " + (imported + 1) + ": " + data + " has no room for the message",
            minFree + " bytes must stay free",
            "this line and all lines after it are not imported");
    assertThat(ToolRun.of("export", data, "--all").ok().lines()).hasSize((int) imported);
    // The last records, and what JE writes when it is closed.
    assertThat(data.toFile().getUsableSpace()).isGreaterThan(minFree - (512 << 10));

    assertThat(ToolRun.of("purge", data, "--queue", "q", "--yes", "--json").ok().out())
        .contains("\"deleted\":" + imported);
    assertThat(data.toFile().getUsableSpace()).isGreaterThan((DISK_MIB - 4L) << 20);
  }

  @Test
  void anImportThatFailedOnAFullDiskCanBeTriedAgain() throws IOException {
    Path foreign = smallDisk.fillUp();
    ToolRun.withInput(lines(1, 10), "import", data).refused(UNUSABLE);
    Files.delete(foreign);

    ToolRun.withInput(lines(1, 10), "import", data, "--min-free-bytes", 1 << 20).ok();

    assertThat(ToolRun.of("export", data, "--all").ok().lines()).hasSize(1);
  }
}
