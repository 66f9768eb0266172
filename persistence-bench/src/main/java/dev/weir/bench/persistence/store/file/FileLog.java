package dev.weir.bench.persistence.store.file;

import dev.weir.bench.floor.AppendFile;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.PacketBuffer;
import dev.weir.bench.persistence.store.Shape;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Commits appended to one file: messages as they are, packets with their length before them. */
final class FileLog implements MessageLog {
  private final Path file;
  private final LogSpec spec;
  private final PacketBuffer packet;
  private final AppendFile out;

  FileLog(Path file, LogSpec spec) throws IOException {
    this.file = file;
    this.spec = spec;
    this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer(spec) : null;
    this.out = new AppendFile(file, spec.commitBufferBytes());
  }

  @Override
  public void append(long number, byte[] message) throws IOException {
    if (packet != null) {
      packet.add(number, message);
    } else {
      out.append(message);
    }
  }

  @Override
  public void commit() throws IOException {
    if (packet != null && !packet.isEmpty()) {
      byte[] record = packet.finish();
      out.appendWithLength(record, packet.length());
      packet.clear();
    }
    if (spec.flush() != Flush.NONE) {
      out.write();
    }
    if (spec.flush() == Flush.DISK) {
      out.force();
    }
  }

  @Override
  public LogReader reader() throws IOException {
    DataInputStream in =
        new DataInputStream(
            new BufferedInputStream(Files.newInputStream(file), spec.readBufferBytes()));
    return packet == null ? new MessageReader(in, spec) : new PacketReader(in, spec);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private record MessageReader(DataInputStream in, byte[] message) implements LogReader {
    MessageReader(DataInputStream in, LogSpec spec) {
      this(in, new byte[spec.messageBytes()]);
    }

    @Override
    public byte[] next() throws IOException {
      int read = in.readNBytes(message, 0, message.length);
      if (read > 0 && read < message.length) {
        throw new IOException("the file ends inside a message");
      }
      return read == 0 ? null : message;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static final class PacketReader implements LogReader {
    private final DataInputStream in;
    private final PacketBuffer.Reader packet;
    private byte[] record = new byte[0];

    PacketReader(DataInputStream in, LogSpec spec) {
      this.in = in;
      this.packet = new PacketBuffer.Reader(spec);
    }

    @Override
    public byte[] next() throws IOException {
      byte[] message = packet.next();
      if (message == null && readRecord()) {
        message = packet.next();
      }
      return message;
    }

    private boolean readRecord() throws IOException {
      byte[] length = in.readNBytes(Integer.BYTES);
      if (length.length < Integer.BYTES) {
        return false;
      }
      int bytes = ByteBuffer.wrap(length).getInt();
      if (record.length < bytes) {
        record = new byte[bytes];
      }
      in.readFully(record, 0, bytes);
      packet.start(ByteBuffer.wrap(record, 0, bytes));
      return true;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
