package dev.weir.bench.program;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A new directory for data, which is removed with its content on {@link #close}. */
public final class DataDirectory implements Closeable {
  private final Path path;

  private DataDirectory(Path path) {
    this.path = path;
  }

  /** Creates a directory in the parent, which exists. */
  public static DataDirectory in(Path parent) throws IOException {
    return new DataDirectory(Files.createTempDirectory(parent, "data-"));
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Directories.delete(path);
  }
}
