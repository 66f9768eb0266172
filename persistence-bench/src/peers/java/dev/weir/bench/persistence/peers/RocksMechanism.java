package dev.weir.bench.persistence.peers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.rocksdb.RocksDBException;

/** RocksDB, with and without its write-ahead log. Found as a service. */
public final class RocksMechanism implements Mechanism {

  /** For the service loader. */
  public RocksMechanism() {}

  @Override
  public String path() {
    return "rocksdb";
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return EnumSet.allOf(Flush.class);
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
  public MessageLog open(Path directory, LogSpec spec) throws IOException {
    try {
      return new RocksLog(directory, spec);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }
}
