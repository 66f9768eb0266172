package dev.weir.cluster.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where the log of a group is.
 *
 * @param environment directory of the JE environment
 * @param prefix begins the names of its tables; empty in an environment of its own
 */
record LogPlace(Path environment, String prefix) {
  private static final String SEPARATOR = "/";

  /** Finds the log of a group in the directory of a member; there may be none yet. */
  static LogPlace of(Path member, String group) {
    Path own = member.resolve(group);
    return hasFiles(own)
        ? new LogPlace(own, "")
        : new LogPlace(member.resolve(LogStore.SHARED), group + SEPARATOR);
  }

  /**
   * Finds the log of a group by the directory of the member with the name of the group, whether the
   * log is there or in the common environment beside it.
   */
  static LogPlace of(Path named) {
    Path member = named.toAbsolutePath().getParent();
    boolean beside = member != null && hasFiles(member.resolve(LogStore.SHARED));
    return beside ? of(member, named.getFileName().toString()) : new LogPlace(named, "");
  }

  boolean isShared() {
    return !prefix.isEmpty();
  }

  /** Whether there is an environment; it may lack the tables of this log. */
  boolean exists() {
    return hasFiles(environment);
  }

  private static boolean hasFiles(Path directory) {
    if (!Files.isDirectory(directory)) {
      return false;
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.anyMatch(file -> file.toString().endsWith(".jdb"));
    } catch (IOException e) {
      throw new IllegalStateException("directory " + directory + " cannot be read: " + e, e);
    }
  }
}
