package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileObstacleTest {
  @TempDir private Path directory;

  /** What the classes of java.io make of each failure to open a file. */
  private FileObstacle of(String reason) throws IOException {
    Path file = Files.writeString(directory.resolve("00000000.jdb"), "x");
    return FileObstacle.of(
        new IllegalStateException(new FileNotFoundException(file + " (" + reason + ")")));
  }

  @Test
  void aDiskErrorIsNoMissingRight() throws IOException {
    assertThat(of("Input/output error")).isNull();
  }

  @Test
  void aMissingRightNamesFileAndMode() throws IOException {
    FileObstacle obstacle = of("Permission denied");
    assertThat(obstacle.isPermission()).isTrue();
    assertThat(obstacle.text())
        .contains(directory.resolve("00000000.jdb") + ": Permission denied (mode rw");
  }

  @Test
  void tooManyOpenFilesAreNoMissingRight() throws IOException {
    assertThat(of("Too many open files").isPermission()).isFalse();
  }

  @Test
  void aDirectoryInThePlaceOfAFileIsNeitherDamageNorAMissingRight() throws IOException {
    Path place = Files.createDirectory(directory.resolve("00000001.jdb"));
    FileObstacle obstacle = FileObstacle.of(new FileNotFoundException(place + " (Ist kein File)"));
    assertThat(obstacle.isPermission()).isFalse();
    assertThat(obstacle.text()).isEqualTo(place + ": Ist kein File");
  }
}
