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
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** A commit is one write batch. */
final class RocksLog implements MessageLog {
  private final LogSpec spec;
  private final Options options = new Options().setCreateIfMissing(true);
  private final WriteOptions writeOptions;
  private final WriteBatch batch = new WriteBatch();
  private final PacketBuffer packet;
  private final byte[] key = new byte[Long.BYTES];
  private final RocksDB database;

  RocksLog(Path directory, LogSpec spec) throws RocksDBException {
    this.spec = spec;
    this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer(spec) : null;
    this.writeOptions =
        new WriteOptions()
            .setDisableWAL(spec.flush() == Flush.NONE)
            .setSync(spec.flush() == Flush.DISK);
    this.database = RocksDB.open(options, directory.toString());
  }

  @Override
  public void append(long number, byte[] message) throws IOException {
    if (packet != null) {
      packet.add(number, message);
    } else {
      put(spec.key(number), message);
    }
  }

  private void put(long number, byte[] value) throws IOException {
    LogSpec.putKey(key, number);
    try {
      batch.put(key, value);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void commit() throws IOException {
    if (packet != null && !packet.isEmpty()) {
      ByteBuffer record = ByteBuffer.wrap(packet.finish(), 0, packet.length());
      byte[] value = new byte[record.remaining()];
      record.get(value);
      put(packet.first(), value);
      packet.clear();
    }
    try {
      database.write(writeOptions, batch);
      batch.clear();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public LogReader reader() {
    return new Reader(database.newIterator(), spec);
  }

  @Override
  public boolean lastStatesOnly() {
    return spec.shape() == Shape.STORE;
  }

  @Override
  public void close() throws IOException {
    try (FlushOptions flush = new FlushOptions()) {
      database.flush(flush);
    } catch (RocksDBException e) {
      throw new IOException(e);
    } finally {
      database.close();
      batch.close();
      writeOptions.close();
      options.close();
    }
  }

  private static final class Reader implements LogReader {
    private final RocksIterator iterator;
    private final PacketBuffer.Reader packet;

    Reader(RocksIterator iterator, LogSpec spec) {
      this.iterator = iterator;
      this.packet = spec.shape() == Shape.PACKET ? new PacketBuffer.Reader(spec) : null;
      iterator.seekToFirst();
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

    private byte[] record() throws IOException {
      if (!iterator.isValid()) {
        try {
          iterator.status();
        } catch (RocksDBException e) {
          throw new IOException(e);
        }
        return null;
      }
      byte[] value = iterator.value();
      iterator.next();
      return value;
    }

    @Override
    public void close() {
      iterator.close();
    }
  }
}
