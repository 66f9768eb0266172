package dev.weir.queue.je;

import com.sleepycat.je.log.FileManager;
import dev.weir.queue.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the end of a log of Berkeley DB JE safe to write on, which JE 18.3 does not.
 *
 * <p>The header of a log file says where the last entry of the file before is. A process that is
 * killed between a header and the first entry behind it leaves a file with nothing but a header. JE
 * then goes on in the file before, and later comes to that file, whose header is right no more: the
 * next recovery, which reads backward, jumps over all that was written in between, committed and
 * forced to the device or not.
 */
public final class JeLogTail {
  private JeLogTail() {}

  /**
   * Deletes log files at the end that hold no entry; a log of one file is left alone. To be called
   * before an environment is opened for writing, by who has the directory's lock. Blocks on files.
   *
   * @param directory of the environment, not null; nothing is done if it does not exist
   * @throws UncheckedIOException if the directory cannot be read, or a file not be deleted
   */
  public static void trim(Path directory) {
    Checks.notNull("directory", directory);
    try {
      List<Path> files = Files.isDirectory(directory) ? files(directory) : List.of();
      for (int last = files.size() - 1; last > 0 && isEmpty(files.get(last)); last--) {
        Files.delete(files.get(last));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** In the order of the log, since names are numbers of eight digits; without JE's mark. */
  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(SalvageFiles.SUFFIX))
          .filter(file -> !file.endsWith(SalvageFiles.REFUSAL))
          .sorted()
          .toList();
    }
  }

  private static boolean isEmpty(Path file) throws IOException {
    return Files.size(file) <= FileManager.firstLogEntryOffset();
  }
}
