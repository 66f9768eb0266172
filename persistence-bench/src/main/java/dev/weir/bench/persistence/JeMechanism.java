package dev.weir.bench.persistence;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** Berkeley DB JE, used as it is. */
final class JeMechanism implements Mechanism {
  static final String PATH = "je";

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
      case NONE -> "COMMIT_NO_SYNC: " + flush.meaning();
      case OS -> "COMMIT_WRITE_NO_SYNC (a packet: flushLog): " + flush.meaning();
      case DISK -> "O_DSYNC, COMMIT_WRITE_NO_SYNC (a packet: flushLog): " + flush.meaning();
    };
  }

  @Override
  public MessageLog open(Path directory, LogSpec spec) {
    JeSpace space = new JeSpace(directory, spec);
    return spec.shape() == Shape.PACKET
        ? new JePacketLog(space, spec)
        : new JeMessageLog(space, spec);
  }
}
