package dev.weir.bench.persistence.store;

/** How messages become records. */
public enum Shape {
  /** A record for each message. */
  MESSAGE("message"),
  /** A record for all messages of a commit, with a CRC32C. */
  PACKET("packet"),
  /** A record for each object; a message is its new state and replaces the one before. */
  STORE("store");

  private final String label;

  Shape(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
