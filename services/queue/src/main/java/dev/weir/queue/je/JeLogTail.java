package dev.weir.queue.je;

import com.sleepycat.je.log.FileManager;
import dev.weir.options.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Prepares the end of a log of Berkeley DB JE for writing, in two cases that JE 18.3 does not
 * handle: empty files at the end, and a sync that has failed.
 *
 * <p>The header of a log file says where the last entry of the previous file is. A process that is
 * killed right after it wrote a header leaves a file without entries. JE then continues the
 * previous file and later reuses the empty file, whose header is now wrong. The next recovery reads
 * backward and skips everything that was written in between, committed or not.
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
      List<Path> files = Files.isDirectory(directory) ? LogFiles.of(directory) : List.of();
      for (int last = files.size() - 1; last > 0 && isEmpty(files.get(last)); last--) {
        Files.delete(files.get(last));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the end of the log once more and forces it to the device. To be called before an
   * environment is opened that was not closed in order, because a sync may have failed: the
   * operating system then takes the pages for written that are not on the device, a later sync does
   * not write them, and a loss of power would leave a hole in the log in front of what is committed
   * afterwards. JE forces a file when it begins the next one, so such pages are in the last two
   * files, or in one whose sync failed and those after it.
   *
   * @param directory of the environment, which must be closed; not null
   * @param unsyncedFrom number of the first file whose sync is known to have failed; larger than
   *     all for none
   * @throws IOException if the disk still fails, or if the end of the log has another name, before
   *     anything is written
   */
  public static void rewrite(Path directory, long unsyncedFrom) throws IOException {
    LogFiles.requireEnd(directory);
    List<Path> files = LogFiles.of(directory);
    for (int i = 0; i < files.size(); i++) {
      if (i >= files.size() - 2 || LogFiles.number(files.get(i)) >= unsyncedFrom) {
        rewriteFile(files.get(i));
      }
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

  private static boolean isEmpty(Path file) throws IOException {
    return Files.size(file) <= FileManager.firstLogEntryOffset();
  }
}
