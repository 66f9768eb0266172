package dev.weir.queue.je;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of JE's log in a directory: names, numbers, order and size. */
public final class LogFiles {
  /** A file that JE creates when it finds damage; while it is there JE opens nothing. */
  public static final String MARKER = "7fffffff.jdb";

  private static final String SUFFIX = ".jdb";
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{8}\\.jdb");

  private LogFiles() {}

  public static String name(long number) {
    return String.format("%08x.jdb", number);
  }

  public static long number(Path file) {
    return Long.parseLong(file.getFileName().toString().substring(0, 8), 16);
  }

  /** The log files in the order of the log, without {@link #MARKER}. */
  public static List<Path> of(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> NAME.matcher(file.getFileName().toString()).matches())
          .filter(file -> !file.endsWith(MARKER))
          .sorted()
          .toList();
    }
  }

  /**
   * The last file of a log in use. JE itself forces each file when it begins the next one, so only
   * the newest is to be forced.
   */
  static Path newest(Path directory) throws IOException {
    List<Path> files = of(directory);
    if (files.isEmpty()) {
      throw new IOException("no log file in " + directory);
    }
    return files.get(files.size() - 1);
  }

  /** Forces a log file to the device, as far as it was written. */
  static void force(Path newest) throws IOException {
    try (FileChannel channel = FileChannel.open(newest, StandardOpenOption.WRITE)) {
      channel.force(false);
    }
  }

  /** Whether a directory has a log, with JE's mark or without. Opens no file. */
  static boolean exist(Path directory) {
    String[] names = directory.toFile().list();
    return names != null && Arrays.stream(names).anyMatch(LogFiles::isLog);
  }

  static boolean isLog(String name) {
    return name.endsWith(SUFFIX);
  }

  public static long bytes(Path directory) throws IOException {
    long bytes = 0;
    for (Path file : of(directory)) {
      bytes += Files.size(file);
    }
    return bytes;
  }
}
