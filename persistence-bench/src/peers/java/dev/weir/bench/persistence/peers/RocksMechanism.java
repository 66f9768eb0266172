package dev.weir.bench.persistence.peers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** RocksDB, with and without its write-ahead log. Found as a service. */
public final class RocksMechanism implements Mechanism {

  /** For the service loader. */
  public RocksMechanism() {}

  @Override
  public String path() {
    return "rocksdb";
  }

  @Override
  public String durability(Flush flush) {
    return switch (flush) {
      case NONE -> "no write-ahead log: " + flush.meaning();
      case OS -> "write-ahead log: " + flush.meaning();
      case DISK -> "write-ahead log, synced: " + flush.meaning();
    };
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) throws IOException {
    try {
      return new Store(directory, spec.flush());
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  /** A commit is one write batch. */
  private static final class Store implements RecordStore {
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions writeOptions;
    private final WriteBatch batch = new WriteBatch();
    private final byte[] key = new byte[Long.BYTES];
    private final RocksDB database;

    Store(Path directory, Flush flush) throws RocksDBException {
      this.writeOptions =
          new WriteOptions().setDisableWAL(flush == Flush.NONE).setSync(flush == Flush.DISK);
      this.database = RocksDB.open(options, directory.toString());
    }

    @Override
    public void put(long number, byte[] record, int length) throws IOException {
      LogSpec.putKey(key, number);
      try {
        batch.put(key, length == record.length ? record : Arrays.copyOf(record, length));
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void commit() throws IOException {
      try {
        database.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public LogReader reader() {
      RocksIterator iterator = database.newIterator();
      iterator.seekToFirst();
      return new Reader(iterator);
    }

    @Override
    public boolean replaces() {
      return true;
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
  }

  private record Reader(RocksIterator iterator) implements LogReader {
    @Override
    public byte[] next() throws IOException {
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
