package dev.weir.bench.persistence.peers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;

/** H2 MVStore: a put for each record into one map. Found as a service. */
public final class MvStoreMechanism implements Mechanism {

  /** For the service loader. */
  public MvStoreMechanism() {}

  @Override
  public String path() {
    return "mvstore";
  }

  @Override
  public String durability(Flush flush) {
    return switch (flush) {
      case NONE -> "automatic commits in the background: " + flush.meaning();
      case OS -> "commit: " + flush.meaning();
      case DISK -> "commit and sync: " + flush.meaning();
    };
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) {
    MVStore.Builder builder =
        new MVStore.Builder().fileName(directory.resolve("store.mv").toString());
    if (spec.flush() != Flush.NONE) {
      builder.autoCommitDisabled();
    }
    MVStore store = builder.open();
    return new Store(spec.flush(), store, store.openMap(spec.shape().toString()));
  }

  private record Store(Flush flush, MVStore store, MVMap<Long, byte[]> map) implements RecordStore {
    @Override
    public void put(long key, byte[] record, int length) {
      // The map keeps the array until it is written.
      map.put(key, Arrays.copyOf(record, length));
    }

    @Override
    public void commit() {
      if (flush != Flush.NONE) {
        store.commit();
      }
      if (flush == Flush.DISK) {
        store.sync();
      }
    }

    @Override
    public LogReader reader() {
      return new Reader(map, map.keyIterator(null));
    }

    @Override
    public boolean replaces() {
      return true;
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private record Reader(MVMap<Long, byte[]> map, Iterator<Long> keys) implements LogReader {
    @Override
    public byte[] next() {
      return keys.hasNext() ? map.get(keys.next()) : null;
    }

    @Override
    public void close() {
      // There is nothing to release.
    }
  }
}
