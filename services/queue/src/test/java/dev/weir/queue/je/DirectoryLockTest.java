package dev.weir.queue.je;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.BadOptionsTest;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a lock is beside that of a store, which {@link BadOptionsTest} looks at. */
@SuppressWarnings("try") // A lock is held for what it keeps others from.
class DirectoryLockTest {
  @TempDir private Path directory;

  @Test
  void makesADirectoryThatIsAbsent() {
    Path absent = directory.resolve("some/data");
    DirectoryLock.acquire(absent).close();
    assertThat(absent).isDirectory();
  }

  @Test
  void aDirectoryIsTheSameByASymbolicLink() throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    Path link = Files.createSymbolicLink(directory.resolve("link"), data);
    try (DirectoryLock lock = DirectoryLock.acquire(link)) {
      assertInUse(data);
      assertInUse(link);
    }
    DirectoryLock.acquire(link).close();
  }

  @Test
  void closingTwiceDoesNotGiveUpTheLockOfTheNext() {
    DirectoryLock first = DirectoryLock.acquire(directory);
    first.close();
    try (DirectoryLock next = DirectoryLock.acquire(directory)) {
      first.close();
      assertInUse(directory);
    }
  }

  @Test
  void whatCannotBeADirectoryIsOneClearLine() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertRefused(file, Reason.DIRECTORY_UNUSABLE, "directory " + file + " cannot be used: ");
    assertThatThrownBy(() -> DirectoryLock.acquire(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("directory must not be null");
  }

  private static void assertInUse(Path path) {
    assertRefused(
        path, Reason.DIRECTORY_IN_USE, "directory " + path + " is in use by this process");
  }

  private static void assertRefused(Path path, Reason reason, String beginning) {
    assertThatThrownBy(() -> DirectoryLock.acquire(path))
        .isInstanceOfSatisfying(QueueException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageStartingWith(beginning);
  }
}
