package dev.weir.bench.persistence.peers;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.Shape;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** H2 MVStore. Found as a service. */
public final class MvStoreMechanism implements Mechanism {

  /** For the service loader. */
  public MvStoreMechanism() {}

  @Override
  public String path() {
    return "mvstore";
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return EnumSet.allOf(Flush.class);
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
  public MessageLog open(Path directory, LogSpec spec) {
    return new MvStoreLog(directory.resolve("store.mv"), spec);
  }
}
