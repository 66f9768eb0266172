package dev.weir.bench.persistence.store.chronicle;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import dev.weir.bench.persistence.store.Shape;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.SyncMode;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;

/**
 * Chronicle Queue, which writes to mapped files: the operating system has a message as soon as it
 * is written, so {@link Flush#NONE} is as safe as {@link Flush#OS}.
 */
public final class ChronicleMechanism implements Mechanism {
  public static final String PATH = "chronicle";

  /** The path with a packet as one excerpt, which is not the common use. */
  public static final String PACKED_PATH = "chronicle-packed";

  private final boolean packed;

  /**
   * @param packed whether all messages of a packet make one excerpt, or one each
   */
  public ChronicleMechanism(boolean packed) {
    this.packed = packed;
  }

  @Override
  public String path() {
    return packed ? PACKED_PATH : PATH;
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return packed && shape != Shape.PACKET
        ? EnumSet.noneOf(Flush.class)
        : EnumSet.allOf(Flush.class);
  }

  @Override
  public boolean packs(Shape shape) {
    return packed;
  }

  @Override
  public String durability(Flush flush) {
    return flush == Flush.DISK
        ? "mapped file, sync per commit: " + flush.meaning()
        : "mapped file, no sync: " + Flush.OS.meaning();
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) {
    return new Store(directory, spec.flush() == Flush.DISK);
  }

  /** An excerpt for each record. */
  private static final class Store implements RecordStore {
    private static final Logger LOGGER = Logger.getLogger("net.openhft");

    static {
      // Otherwise Chronicle logs every file, prints a banner and reports its use over the network.
      LOGGER.setLevel(Level.WARNING);
      System.setProperty("chronicle.announcer.disable", "true");
      System.setProperty("chronicle.analytics.disable", "true");
    }

    private final boolean sync;
    private final ChronicleQueue queue;
    private final ExcerptAppender appender;

    Store(Path directory, boolean sync) {
      this.sync = sync;
      this.queue =
          SingleChronicleQueueBuilder.single(directory.toFile())
              .syncMode(sync ? SyncMode.SYNC : SyncMode.NONE)
              .build();
      this.appender = queue.createAppender();
    }

    @Override
    public void put(long key, byte[] record, int length) {
      try (DocumentContext excerpt = appender.writingDocument()) {
        excerpt.wire().bytes().write(record, 0, length);
      }
    }

    @Override
    public void commit() {
      if (sync) {
        appender.sync();
      }
    }

    @Override
    public LogReader reader() {
      return new Reader(queue.createTailer());
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  private static final class Reader implements LogReader {
    private final ExcerptTailer tailer;
    private byte[] excerpt = new byte[0];

    Reader(ExcerptTailer tailer) {
      this.tailer = tailer;
    }

    @Override
    public byte[] next() {
      try (DocumentContext document = tailer.readingDocument()) {
        if (!document.isPresent()) {
          return null;
        }
        Bytes<?> bytes = document.wire().bytes();
        int length = Math.toIntExact(bytes.readRemaining());
        if (length != excerpt.length) {
          excerpt = new byte[length];
        }
        bytes.read(excerpt);
        return excerpt;
      }
    }

    @Override
    public void close() {
      tailer.close();
    }
  }
}
