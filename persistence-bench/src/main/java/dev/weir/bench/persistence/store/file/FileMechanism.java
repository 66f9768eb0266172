package dev.weir.bench.persistence.store.file;

import dev.weir.bench.persistence.store.Flush;
import dev.weir.bench.persistence.store.LogSpec;
import dev.weir.bench.persistence.store.Mechanism;
import dev.weir.bench.persistence.store.MessageLog;
import dev.weir.bench.persistence.store.Shape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * The floor: a plain file that messages are appended to. A state change is appended like any
 * message.
 */
public final class FileMechanism implements Mechanism {
  public static final String PATH = "file";

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return EnumSet.allOf(Flush.class);
  }

  @Override
  public String durability(Flush flush) {
    return switch (flush) {
      case NONE -> "write when the buffer is full: " + flush.meaning();
      case OS -> "write per commit: " + flush.meaning();
      case DISK -> "write and fdatasync per commit: " + flush.meaning();
    };
  }

  @Override
  public MessageLog open(Path directory, LogSpec spec) throws IOException {
    return new FileLog(directory.resolve("messages.log"), spec);
  }
}
