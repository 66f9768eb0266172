package dev.weir.bench.persistence.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Messages in a store, one by one or in packets. One thread writes; readers may be used beside. */
public final class MessageLog implements Closeable {
  private final LogSpec spec;
  private final RecordStore store;

  /** Null where each message is a record. */
  private final PacketBuffer packet;

  private MessageLog(LogSpec spec, RecordStore store, boolean packs) {
    this.spec = spec;
    this.store = store;
    this.packet = packs ? new PacketBuffer(spec) : null;
  }

  /** Opens a log in the directory, which exists, creating it or finding what was written. */
  public static MessageLog open(Mechanism mechanism, Path directory, LogSpec spec)
      throws IOException {
    return new MessageLog(spec, mechanism.open(directory, spec), mechanism.packs(spec.shape()));
  }

  /**
   * Adds a message to the commit under way.
   *
   * @param number of the message, from 0, rising by 1
   * @param message copied or written before the call returns
   */
  public void append(long number, byte[] message) throws IOException {
    if (packet != null) {
      packet.add(number, message);
    } else {
      store.put(spec.key(number), message, message.length);
    }
  }

  /** Ends the commit: all that was appended is as safe as the flush asks. */
  public void commit() throws IOException {
    if (packet != null && !packet.isEmpty()) {
      store.put(packet.first(), packet.finish(), packet.length());
      packet.clear();
    }
    store.commit();
  }

  /** A reader at the first message. In {@link Shape#STORE} it may read the last states only. */
  public LogReader reader() throws IOException {
    LogReader records = store.reader();
    return packet == null ? records : new Unpacked(records, new PacketBuffer.Reader(spec));
  }

  /** Whether the log holds the last state of each object only, and not every message. */
  public boolean lastStatesOnly() {
    return spec.shape() == Shape.STORE && store.replaces();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  /** The messages of packets. */
  private record Unpacked(LogReader records, PacketBuffer.Reader packet) implements LogReader {
    @Override
    public byte[] next() throws IOException {
      byte[] message = packet.next();
      byte[] record = message == null ? records.next() : null;
      if (record != null) {
        packet.start(ByteBuffer.wrap(record));
        message = packet.next();
      }
      return message;
    }

    @Override
    public void close() throws IOException {
      records.close();
    }
  }
}
