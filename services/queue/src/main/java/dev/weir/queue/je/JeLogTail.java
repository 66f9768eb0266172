package dev.weir.queue.je;

import com.sleepycat.je.log.FileManager;
import dev.weir.queue.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
  private static final int CHUNK_BYTES = 1 << 20;

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

  /**
   * Writes the end of the log once more and forces it to the device. To be called after a sync has
   * failed, before the environment is opened again: the operating system then takes the pages for
   * written that are not on the device, a later sync does not write them, and a loss of power would
   * leave a hole in the log in front of what is committed afterwards. JE forces a file when it
   * begins the next one, so only the last two files can have such pages.
   *
   * @param directory of the environment, which must be closed; not null
   * @throws IOException if the disk still fails
   */
  static void rewrite(Path directory) throws IOException {
    List<Path> files = files(directory);
    for (Path file : files.subList(Math.max(0, files.size() - 2), files.size())) {
      rewriteFile(file);
    }
  }

  private static void rewriteFile(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
      long position = 0;
      while (channel.read(chunk.clear(), position) > 0) {
        chunk.flip();
        while (chunk.hasRemaining()) {
          position += channel.write(chunk, position);
        }
      }
      channel.force(true);
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
