package dev.weir.bench.persistence.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/** A kind of store for messages on disk. Further kinds are found by the service loader. */
public interface Mechanism {

  /** The name in rows: the field {@code path}. */
  String path();

  /** What commits of this mechanism can wait for in this shape; empty if it has no such shape. */
  default Set<Flush> flushes(Shape shape) {
    return EnumSet.allOf(Flush.class);
  }

  /** Whether the messages of a commit become one record. */
  default boolean packs(Shape shape) {
    return shape == Shape.PACKET;
  }

  /** How this mechanism commits, and what a committed message survives, in words. */
  String durability(Flush flush);

  /** Opens a store in the directory, which exists, creating it or finding what was written. */
  RecordStore open(Path directory, LogSpec spec) throws IOException;
}
