package dev.weir.bench.persistence.store.chronicle;

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
 * Chronicle Queue, which writes to mapped files: the operating system has a message as soon as it
 * is written, so {@link Flush#NONE} is as safe as {@link Flush#OS}.
 */
public final class ChronicleMechanism implements Mechanism {
  public static final String PATH = "chronicle";

  /** The path with a packet as one excerpt, which is not the common use. */
  public static final String PACKED_PATH = "chronicle-packed";

  private final boolean packed;

  /**
   * @param packed whether all messages of a packet make one excerpt, or one each
   */
  public ChronicleMechanism(boolean packed) {
    this.packed = packed;
  }

  @Override
  public String path() {
    return packed ? PACKED_PATH : PATH;
  }

  @Override
  public Set<Flush> flushes(Shape shape) {
    return packed && shape != Shape.PACKET
        ? EnumSet.noneOf(Flush.class)
        : EnumSet.allOf(Flush.class);
  }

  @Override
  public String durability(Flush flush) {
    return flush == Flush.DISK
        ? "mapped file, sync per commit: " + flush.meaning()
        : "mapped file, no sync: " + Flush.OS.meaning();
  }

  @Override
  public MessageLog open(Path directory, LogSpec spec) throws IOException {
    return new ChronicleLog(directory, spec, packed);
  }
}
