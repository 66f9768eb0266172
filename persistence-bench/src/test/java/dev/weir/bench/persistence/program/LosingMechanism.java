package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import dev.weir.bench.persistence.store.file.FileMechanism;
import java.io.IOException;
import java.nio.file.Path;

/** Plain files, but one message is not written. */
record LosingMechanism(long lost) implements Mechanism {
  private static final Mechanism FILES = new FileMechanism();

  @Override
  public String path() {
    return "losing";
  }

  @Override
  public String durability(Flush flush) {
    return FILES.durability(flush);
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) throws IOException {
    RecordStore store = FILES.open(directory, spec);
    return new RecordStore() {
      @Override
      public void put(long key, byte[] record, int length) throws IOException {
        if (key != lost) {
          store.put(key, record, length);
        }
      }

      @Override
      public void commit() throws IOException {
        store.commit();
      }

      @Override
      public LogReader reader() throws IOException {
        return store.reader();
      }

      @Override
      public void close() throws IOException {
        store.close();
      }
    };
  }
}
