package dev.weir.bench.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories of data. */
public final class Directories {
  private Directories() {}

  /** Removes a directory with all that is in it. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Brings what was created and removed in it to the device. */
  public static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Brings what is in the files of a flat directory to the device; they may vanish meanwhile. */
  public static void forceFiles(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> stream = Files.list(directory)) {
      files = stream.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      try {
        force(file);
      } catch (NoSuchFileException e) {
        // The cleaner was faster.
      }
    }
    force(directory);
  }

  /** Bytes of all files; files that vanish meanwhile do not count. */
  public static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        return bytes(directory);
      }
      throw e.getCause();
    }
  }

  /** Copies the files of a flat directory into another, which must not exist yet. */
  public static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    List<Path> files;
    try (Stream<Path> stream = Files.list(from)) {
      files = stream.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(file.getFileName()));
    }
  }
}
