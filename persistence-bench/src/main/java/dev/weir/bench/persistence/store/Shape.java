package dev.weir.bench.persistence.store;

import dev.weir.bench.program.Names;

/** How messages become records. */
public enum Shape {
  /** A record for each message. */
  MESSAGE,
  /** A record for all messages of a commit, with a CRC32C. */
  PACKET,
  /** A record for each object; a message is its new state and replaces the one before. */
  STORE;

  @Override
  public String toString() {
    return Names.of(this);
  }
}
