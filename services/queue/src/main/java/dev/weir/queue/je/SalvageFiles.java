package dev.weir.queue.je;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a copy of the log files in the place of the damaged ones, which are kept beside, in steps of
 * which each can be the last before a crash:
 *
 * <pre>
 * salvage/            the copy is being made; without its mark it is thrown away
 * salvage/complete    the mark; the old files go to damaged/
 * salvaged/           the old files are gone; the new ones come out of it
 * </pre>
 */
public final class SalvageFiles {
  /** Where the damaged log files are kept; those of an earlier damage give way. */
  static final String DAMAGED = "damaged";

  private static final Logger LOG = LoggerFactory.getLogger(SalvageFiles.class);
  private static final String COPYING = "salvage";
  private static final String COPIED = "salvaged";
  private static final String COMPLETE = "complete";
  static final String SUFFIX = ".jdb";

  /** JE's mark that an environment is to be refused. */
  static final String REFUSAL = "7fffffff" + SUFFIX;

  private final Path directory;

  public SalvageFiles(Path directory) {
    this.directory = directory;
  }

  /** Removes JE's mark, so that the files can be opened. */
  void dropRefusal() {
    try {
      Files.deleteIfExists(directory.resolve(REFUSAL));
    } catch (IOException e) {
      // JE refuses them, and says why.
      LOG.debug("{} cannot be deleted", directory.resolve(REFUSAL), e);
    }
  }

  /** Where the copy is to be made. */
  Path begin() throws IOException {
    return Files.createDirectories(directory.resolve(COPYING));
  }

  /** The copy is complete. */
  void replace() throws IOException {
    deleteAll(directory.resolve(DAMAGED));
    Files.createFile(directory.resolve(COPYING).resolve(COMPLETE));
    finish();
  }

  /** Gives back the room of a copy that could not be completed. */
  void abandon() {
    try {
      if (Files.notExists(directory.resolve(COPYING).resolve(COMPLETE))) {
        deleteAll(directory.resolve(COPYING));
      }
    } catch (IOException e) {
      LOG.debug("{} is left behind", directory.resolve(COPYING), e);
    }
  }

  /** A crash has left log files that are not in their place. */
  public boolean isUnfinished() {
    return Files.exists(directory.resolve(COPYING).resolve(COMPLETE))
        || Files.exists(directory.resolve(COPIED));
  }

  /** Ends what a crash has interrupted. */
  void finish() throws IOException {
    Path copying = directory.resolve(COPYING);
    Path copied = directory.resolve(COPIED);
    if (Files.exists(copying.resolve(COMPLETE))) {
      moveLogs(directory, Files.createDirectories(directory.resolve(DAMAGED)));
      Files.move(copying, copied, StandardCopyOption.ATOMIC_MOVE);
    }
    if (Files.exists(copied)) {
      moveLogs(copied, directory);
      deleteAll(copied);
    }
    deleteAll(copying);
  }

  private static void moveLogs(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
        Files.move(file, to.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
      }
    }
  }

  /** Deletes a directory and all in it, if there is one. */
  static void deleteAll(Path path) throws IOException {
    if (Files.exists(path)) {
      List<Path> all;
      try (Stream<Path> files = Files.walk(path)) {
        all = files.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : all) {
        Files.delete(file);
      }
    }
  }
}
