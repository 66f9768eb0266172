package dev.weir.bench.persistence.store.file;

import dev.weir.bench.floor.AppendFile;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import dev.weir.bench.persistence.store.Shape;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The floor: a plain file that messages are appended to as they are, and packets with their length
 * before them. A state change is appended like any message.
 */
public final class FileMechanism implements Mechanism {
  public static final String PATH = "file";

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public String durability(Flush flush) {
    return switch (flush) {
      case NONE -> "write when the buffer is full: " + flush.meaning();
      case OS -> "write per commit: " + flush.meaning();
      case DISK -> "write and fdatasync per commit: " + flush.meaning();
    };
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) throws IOException {
    Path file = directory.resolve("messages.log");
    return new Store(file, spec, new AppendFile(file, spec.commitBufferBytes()));
  }

  private record Store(Path file, LogSpec spec, AppendFile out) implements RecordStore {
    @Override
    public void put(long key, byte[] record, int length) throws IOException {
      if (spec.shape() == Shape.PACKET) {
        out.appendWithLength(record, length);
      } else {
        out.append(record);
      }
    }

    @Override
    public void commit() throws IOException {
      if (spec.flush() != Flush.NONE) {
        out.write();
      }
      if (spec.flush() == Flush.DISK) {
        out.force();
      }
    }

    @Override
    public LogReader reader() throws IOException {
      return new Reader(
          new BufferedInputStream(Files.newInputStream(file), spec.readBufferBytes()), spec);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static final class Reader implements LogReader {
    private final InputStream in;
    private final LogSpec spec;
    private byte[] record = new byte[0];

    Reader(InputStream in, LogSpec spec) {
      this.in = in;
      this.spec = spec;
    }

    @Override
    public byte[] next() throws IOException {
      int length = spec.shape() == Shape.PACKET ? length() : spec.messageBytes();
      if (record.length != length) {
        record = new byte[length];
      }
      int read = in.readNBytes(record, 0, length);
      if (read > 0 && read < length) {
        throw new IOException("the file ends inside a record");
      }
      return read == 0 ? null : record;
    }

    /** The length of the next packet; 0 at the end of the file. */
    private int length() throws IOException {
      byte[] length = in.readNBytes(Integer.BYTES);
      return length.length < Integer.BYTES ? 0 : ByteBuffer.wrap(length).getInt();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
