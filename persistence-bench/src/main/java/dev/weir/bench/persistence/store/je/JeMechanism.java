package dev.weir.bench.persistence.store.je;

import com.sleepycat.je.JEVersion;
import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.RecordStore;
import java.nio.file.Path;

/** Berkeley DB JE, used directly. */
public final class JeMechanism implements Mechanism {
  public static final String PATH = "je";

  /** The version of the library. */
  public static String version() {
    return JEVersion.CURRENT_VERSION.getNumericVersionString();
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public String durability(Flush flush) {
    return switch (flush) {
      case NONE -> "COMMIT_NO_SYNC: " + flush.meaning();
      case OS -> "COMMIT_WRITE_NO_SYNC (a packet: flushLog): " + flush.meaning();
      case DISK -> "O_DSYNC, COMMIT_WRITE_NO_SYNC (a packet: flushLog): " + flush.meaning();
    };
  }

  @Override
  public RecordStore open(Path directory, LogSpec spec) {
    return new JeStore(directory, spec);
  }
}
