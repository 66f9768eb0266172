package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.PacketBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/** All messages of a commit in one record; the commit is that one put, and a flush of the log. */
final class JePacketLog implements MessageLog {
  private final JeEnvironment space;
  private final LogSpec spec;
  private final PacketBuffer packet;
  private final byte[] keyBytes = new byte[Long.BYTES];
  private final DatabaseEntry key = new DatabaseEntry(keyBytes);
  private final DatabaseEntry data = new DatabaseEntry();

  JePacketLog(JeEnvironment space, LogSpec spec) {
    this.space = space;
    this.spec = spec;
    this.packet = new PacketBuffer(spec);
  }

  @Override
  public void append(long number, byte[] message) {
    packet.add(number, message);
  }

  @Override
  public void commit() {
    if (!packet.isEmpty()) {
      LogSpec.putKey(keyBytes, packet.first());
      data.setData(packet.finish(), 0, packet.length());
      space.database().put(null, key, data);
      if (spec.flush() != Flush.NONE) {
        space.flush();
      }
      packet.clear();
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(space.cursor(), spec);
  }

  @Override
  public void close() {
    space.close();
  }

  private static final class Reader implements LogReader {
    private final Cursor cursor;
    private final PacketBuffer.Reader packet;
    private final DatabaseEntry key = new DatabaseEntry();
    private final DatabaseEntry data = new DatabaseEntry();

    Reader(Cursor cursor, LogSpec spec) {
      this.cursor = cursor;
      this.packet = new PacketBuffer.Reader(spec);
    }

    @Override
    public byte[] next() throws IOException {
      byte[] message = packet.next();
      while (message == null
          && cursor.getNext(key, data, LockMode.DEFAULT) == OperationStatus.SUCCESS) {
        packet.start(ByteBuffer.wrap(data.getData(), data.getOffset(), data.getSize()));
        message = packet.next();
      }
      return message;
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
