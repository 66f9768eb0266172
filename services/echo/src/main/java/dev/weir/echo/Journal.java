package dev.weir.echo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file with one line for each delivered event: id, delivery count, body. An event that is
 * delivered again after a crash has the same id, so a reader can drop repeated ids. Line ends in a
 * body are written as {@code \n} and {@code \r}.
 */
final class Journal implements AutoCloseable {
  /** Writes nothing. */
  static final Journal NONE = new Journal(null);

  private final FileChannel file;

  private Journal(FileChannel file) {
    this.file = file;
  }

  /** Opens a file to append to; creates it if it is absent. */
  static Journal open(Path path) {
    try {
      return new Journal(
          FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new UncheckedIOException("journal " + path + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /**
   * Writes one line with one call of the operating system: the line survives a killed process. Any
   * thread.
   *
   * @param id null for an event that was not sent durably
   */
  void write(String id, int deliveryCount, Object body) {
    if (file == null) {
      return;
    }
    String line = (id == null ? "-" : id) + " " + deliveryCount + " " + oneLine(body) + "\n";
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        // A disk that becomes full takes a part; the next call fails then, and so does the event.
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A body with line ends could pass for further events. */
  private static String oneLine(Object body) {
    return String.valueOf(body).replace("\r", "\\r").replace("\n", "\\n");
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
