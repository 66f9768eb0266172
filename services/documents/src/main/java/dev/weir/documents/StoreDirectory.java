package dev.weir.documents;

import dev.weir.queue.QueueException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells the data directory of a member from that of a store of one node. Documents of the one are
 * not seen by the other, so a start as the other would look like a loss of all documents.
 */
final class StoreDirectory {
  /** Where the launcher has a member keep its groups. */
  private static final String GROUPS = "groups";

  private static final String LOG_FILES = "*.jdb";

  private StoreDirectory() {}

  /**
   * Makes a new directory that of a member.
   *
   * @throws IllegalArgumentException if it has documents of a store of one node
   * @throws QueueException if it cannot be used
   */
  static void requireMember(Path directory) {
    Path groups = directory.resolve(GROUPS);
    try {
      if (!Files.exists(groups) && hasLog(directory)) {
        throw new IllegalArgumentException(
            "store.directory is "
                + directory
                + ", allowed for a member is another one: this one has the documents of a store of"
                + " one node");
      }
      Files.createDirectories(groups);
    } catch (IOException e) {
      throw new QueueException(
          QueueException.Reason.DIRECTORY_UNUSABLE,
          "directory " + directory + " cannot be used: " + e,
          e);
    }
  }

  /**
   * @throws IllegalArgumentException if the directory is that of a member
   */
  static void requireAlone(Path directory) {
    if (Files.exists(directory.resolve(GROUPS))) {
      throw new IllegalArgumentException(
          "store.directory is "
              + directory
              + ", allowed without documents.members is another one: this one has the documents of"
              + " a member");
    }
  }

  private static boolean hasLog(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, LOG_FILES)) {
      return files.iterator().hasNext();
    }
  }
}
