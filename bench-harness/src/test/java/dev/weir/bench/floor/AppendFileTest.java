package dev.weir.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppendFileTest {
  @TempDir private Path directory;

  @Test
  void writesWhenAskedWhenTheBufferIsFullAndAtTheEnd() throws IOException {
    Path path = directory.resolve("file");
    try (AppendFile file = new AppendFile(path, 8)) {
      file.append(new byte[] {1, 2, 3});
      assertThat(path).isEmptyFile();

      file.append(new byte[] {4, 5, 6, 7, 8, 9});
      assertThat(path).hasBinaryContent(new byte[] {1, 2, 3});

      file.write();
      file.force();
      assertThat(path).hasSize(9);

      file.append(new byte[] {10});
    }
    assertThat(path).hasBinaryContent(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  }

  @Test
  void appendsToWhatIsThereWithLengths() throws IOException {
    Path path = Files.write(directory.resolve("file"), new byte[] {1});
    try (AppendFile file = new AppendFile(path, 100)) {
      file.appendWithLength(new byte[] {7, 8, 9}, 2);
    }

    assertThat(path).hasBinaryContent(new byte[] {1, 0, 0, 0, 2, 7, 8});
  }
}
