package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreDirectoryTest {
  @TempDir private Path directory;

  @Test
  void aNewDirectoryIsForEither() {
    StoreDirectory.requireAlone(directory.resolve("a"));
    StoreDirectory.requireMember(directory.resolve("b"));
    assertThat(directory.resolve("a")).doesNotExist();
  }

  @Test
  void aMemberIsStartedAgainOnItsDirectory() throws IOException {
    StoreDirectory.requireMember(directory);
    // The disk tier of its services.
    Files.createFile(directory.resolve("00000000.jdb"));
    StoreDirectory.requireMember(directory);
  }

  @Test
  void theDirectoryOfAMemberIsNotOneOfAStoreOfOneNode() {
    StoreDirectory.requireMember(directory);
    assertThatThrownBy(() -> StoreDirectory.requireAlone(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("store.directory is " + directory)
        .hasMessageContaining("documents of a member");
  }

  @Test
  void theDirectoryOfAStoreOfOneNodeIsNotOneOfAMember() throws IOException {
    Files.createFile(directory.resolve("00000000.jdb"));
    assertThatThrownBy(() -> StoreDirectory.requireMember(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the documents of a store of one node");
    assertThat(directory.resolve("groups")).doesNotExist();
  }

  /** The launcher ends such a program with exit code 3. */
  @Test
  void aDirectoryThatCannotBeUsedIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> StoreDirectory.requireMember(file))
        .isInstanceOf(QueueException.class)
        .hasMessageStartingWith("directory " + file + " cannot be used: ");
  }
}
