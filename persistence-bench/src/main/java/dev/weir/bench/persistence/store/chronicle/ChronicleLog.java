package dev.weir.bench.persistence.store.chronicle;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.PacketBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/** A log in Chronicle Queue: an excerpt for each message, or for each packet. */
final class ChronicleLog implements MessageLog {
  private static final Logger LOGGER = Logger.getLogger("net.openhft");

  static {
    // Otherwise Chronicle logs every file, prints a banner and reports its use over the network.
    LOGGER.setLevel(Level.WARNING);
    System.setProperty("chronicle.announcer.disable", "true");
    System.setProperty("chronicle.analytics.disable", "true");
  }

  private final LogSpec spec;
  private final ChronicleQueue queue;
  private final ExcerptAppender appender;
  private final PacketBuffer packet;

  ChronicleLog(Path directory, LogSpec spec, boolean packed) {
    this.spec = spec;
    this.packet = packed ? new PacketBuffer(spec) : null;
    this.queue =
        SingleChronicleQueueBuilder.single(directory.toFile())
            .syncMode(spec.flush() == Flush.DISK ? SyncMode.SYNC : SyncMode.NONE)
            .build();
    this.appender = queue.createAppender();
  }

  @Override
  public void append(long number, byte[] message) {
    if (packet == null) {
      write(message, message.length);
    } else {
      packet.add(number, message);
    }
  }

  private void write(byte[] bytes, int length) {
    try (DocumentContext excerpt = appender.writingDocument()) {
      excerpt.wire().bytes().write(bytes, 0, length);
    }
  }

  @Override
  public void commit() {
    if (packet != null && !packet.isEmpty()) {
      write(packet.finish(), packet.length());
      packet.clear();
    }
    if (spec.flush() == Flush.DISK) {
      appender.sync();
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(queue.createTailer(), packet == null ? null : new PacketBuffer.Reader(spec));
  }

  @Override
  public void close() {
    queue.close();
  }

  private static final class Reader implements LogReader {
    private final ExcerptTailer tailer;
    private final PacketBuffer.Reader packet;
    private byte[] excerpt = new byte[0];

    Reader(ExcerptTailer tailer, PacketBuffer.Reader packet) {
      this.tailer = tailer;
      this.packet = packet;
    }

    @Override
    public byte[] next() throws IOException {
      if (packet == null) {
        return read() ? excerpt : null;
      }
      byte[] message = packet.next();
      if (message == null && read()) {
        packet.start(ByteBuffer.wrap(excerpt));
        message = packet.next();
      }
      return message;
    }

    private boolean read() {
      try (DocumentContext document = tailer.readingDocument()) {
        if (!document.isPresent()) {
          return false;
        }
        Bytes<?> bytes = document.wire().bytes();
        int length = Math.toIntExact(bytes.readRemaining());
        if (length != excerpt.length) {
          excerpt = new byte[length];
        }
        bytes.read(excerpt);
        return true;
      }
    }

    @Override
    public void close() {
      tailer.close();
    }
  }
}
