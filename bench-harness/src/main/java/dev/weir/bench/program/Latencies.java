package dev.weir.bench.program;

import dev.weir.bench.record.Recording;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Records latencies in a histogram and, if asked, every one in a file: nanoseconds as big-endian
 * 8-byte integers, in the order of the messages. For one thread.
 */
public final class Latencies implements Closeable {
  private final Recording recording = Recording.singleWriter();
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);

  /**
   * @param file overwritten; null for none
   */
  public Latencies(Path file) throws IOException {
    channel =
        file == null
            ? null
            : FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE);
  }

  /** Takes the latency of the next message. */
  public void record(long latencyNs) throws IOException {
    recording.record(latencyNs);
    if (channel != null) {
      if (!buffer.hasRemaining()) {
        write();
      }
      buffer.putLong(latencyNs);
    }
  }

  /** All latencies, as a histogram. */
  public Recording recording() {
    return recording;
  }

  private void write() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      try (channel) {
        write();
      }
    }
  }
}
