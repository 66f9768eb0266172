package dev.weir.bench.persistence.peers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.PacketBuffer;
import dev.weir.bench.persistence.store.Shape;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** A put for each record into one map. */
final class MvStoreLog implements MessageLog {
  private final LogSpec spec;
  private final MVStore store;
  private final MVMap<Long, byte[]> map;
  private final PacketBuffer packet;

  MvStoreLog(Path file, LogSpec spec) {
    this.spec = spec;
    this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer(spec) : null;
    MVStore.Builder builder = new MVStore.Builder().fileName(file.toString());
    if (spec.flush() != Flush.NONE) {
      builder.autoCommitDisabled();
    }
    this.store = builder.open();
    this.map = store.openMap(spec.shape().toString());
  }

  @Override
  public void append(long number, byte[] message) {
    if (packet != null) {
      packet.add(number, message);
    } else {
      // The map keeps the array until it is written.
      map.put(spec.key(number), message.clone());
    }
  }

  @Override
  public void commit() {
    if (packet != null && !packet.isEmpty()) {
      map.put(packet.first(), Arrays.copyOf(packet.finish(), packet.length()));
      packet.clear();
    }
    if (spec.flush() != Flush.NONE) {
      store.commit();
    }
    if (spec.flush() == Flush.DISK) {
      store.sync();
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(map, spec);
  }

  @Override
  public boolean lastStatesOnly() {
    return spec.shape() == Shape.STORE;
  }

  @Override
  public void close() {
    store.close();
  }

  private static final class Reader implements LogReader {
    private final MVMap<Long, byte[]> map;
    private final Iterator<Long> keys;
    private final PacketBuffer.Reader packet;

    Reader(MVMap<Long, byte[]> map, LogSpec spec) {
      this.map = map;
      this.keys = map.keyIterator(null);
      this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer.Reader(spec) : null;
    }

    @Override
    public byte[] next() throws IOException {
      if (packet == null) {
        return record();
      }
      byte[] message = packet.next();
      byte[] record = message == null ? record() : null;
      if (record != null) {
        packet.start(ByteBuffer.wrap(record));
        message = packet.next();
      }
      return message;
    }

    private byte[] record() {
      return keys.hasNext() ? map.get(keys.next()) : null;
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
