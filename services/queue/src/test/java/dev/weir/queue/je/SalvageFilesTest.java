package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SalvageFilesTest {
  private static final String LOG = "00000000.jdb";

  @TempDir private Path directory;

  private String log(String where) throws IOException {
    return Files.readString(directory.resolve(where).resolve(LOG));
  }

  @Test
  void everyLogThatWasReplacedIsKept() throws IOException {
    Files.writeString(directory.resolve(LOG), "first");
    for (String next : new String[] {"second", "third", "fourth"}) {
      SalvageFiles files = new SalvageFiles(directory);
      Files.writeString(files.begin().resolve(LOG), next);
      files.replace();
      assertThat(log(".")).isEqualTo(next);
    }
    assertThat(log("damaged")).isEqualTo("third");
    assertThat(log("damaged.2")).isEqualTo("second");
    assertThat(log("damaged.1")).isEqualTo("first");
  }
}
