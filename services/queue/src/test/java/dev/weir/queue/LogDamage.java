package dev.weir.queue;

import dev.weir.queue.je.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What a disk does to log files over the years. */
final class LogDamage {
  private LogDamage() {}

  /** The log files, oldest first. */
  static List<Path> logs(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jdb")).sorted().toList();
    }
  }

  /** All files of a directory, and then the directory. */
  static List<Path> all(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.sorted(Comparator.reverseOrder()).toList();
    }
  }

  /** Changes one bit at least. */
  static void flip(Path log, long offset, int mask) throws IOException {
    try (FileChannel file =
        FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ mask)).flip();
      file.write(one, offset);
    }
  }

  /** Flips a bit of a text, wherever it is in the log or in segments. */
  static void flip(Path directory, String text) throws IOException {
    boolean found = false;
    for (Path log : LogFiles.withSegments(directory)) {
      // One char is one byte.
      String bytes = Files.readString(log, StandardCharsets.ISO_8859_1);
      for (int at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) {
        flip(log, at, 1);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalArgumentException("the text is nowhere in " + directory);
    }
  }
}
