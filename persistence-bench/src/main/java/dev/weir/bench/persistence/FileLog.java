package dev.weir.bench.persistence;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Commits appended to one file: messages as they are, packets with their length before them. */
final class FileLog implements MessageLog {
  private final Path file;
  private final LogSpec spec;
  private final FileChannel channel;
  private final PacketBuffer packet;
  private final ByteBuffer out;

  FileLog(Path file, LogSpec spec) throws IOException {
    this.file = file;
    this.spec = spec;
    this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer(spec) : null;
    this.out = ByteBuffer.allocateDirect(spec.commitBufferBytes());
    this.channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @Override
  public void append(long number, byte[] message) throws IOException {
    if (packet != null) {
      packet.add(number, message);
    } else {
      makeRoom(message.length);
      out.put(message);
    }
  }

  private void makeRoom(int bytes) throws IOException {
    if (out.remaining() < bytes) {
      write();
    }
  }

  @Override
  public void commit() throws IOException {
    if (packet != null && !packet.isEmpty()) {
      byte[] record = packet.finish();
      makeRoom(Integer.BYTES + packet.length());
      out.putInt(packet.length()).put(record, 0, packet.length());
      packet.clear();
    }
    if (spec.flush() != Flush.NONE) {
      write();
    }
    if (spec.flush() == Flush.DISK) {
      channel.force(false);
    }
  }

  private void write() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    out.clear();
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
    try (channel) {
      write();
    }
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
