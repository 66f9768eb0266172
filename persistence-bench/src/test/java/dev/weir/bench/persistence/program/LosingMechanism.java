package dev.weir.bench.persistence.program;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogReader;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.Shape;
import dev.weir.bench.persistence.store.file.FileMechanism;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** Plain files, but one message is not written. */
record LosingMechanism(long lost) implements Mechanism {
  private static final Mechanism FILES = new FileMechanism();

  @Override
  public String path() {
    return "losing";
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return FILES.flushes(shape);
  }

  @Override
  public String durability(Flush flush) {
    return FILES.durability(flush);
  }

  @Override
  public MessageLog open(Path directory, LogSpec spec) throws IOException {
    MessageLog log = FILES.open(directory, spec);
    return new MessageLog() {
      @Override
      public void append(long number, byte[] message) throws IOException {
        if (number != lost) {
          log.append(number, message);
        }
      }

      @Override
      public void commit() throws IOException {
        log.commit();
      }

      @Override
      public LogReader reader() throws IOException {
        return log.reader();
      }

      @Override
      public void close() throws IOException {
        log.close();
      }
    };
  }
}
