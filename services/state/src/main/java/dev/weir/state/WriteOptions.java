package dev.weir.state;

import dev.weir.options.Checks;

/** What one write asks for beyond its body. A value of this class never changes. */
public final class WriteOptions {
  /** Nothing is expected, and the expiry is that of the factory or of the document. */
  public static final WriteOptions DEFAULT = new WriteOptions(Expected.any(), null);

  private final Expected expected;
  private final Long expiryMs;

  private WriteOptions(Expected expected, Long expiryMs) {
    this.expected = expected;
    this.expiryMs = expiryMs;
  }

  /** What the write expects of the document that it finds, by default anything. */
  public WriteOptions expect(Expected expectation) {
    return new WriteOptions(Checks.notNull("expected", expectation), expiryMs);
  }

  /**
   * When the document expires, counted from this write. Without it {@code create}, {@code put} and
   * {@code replace} take the default of the factory; patches and actions leave the time as it is.
   *
   * @param ms 0 for never
   */
  public WriteOptions expireAfterMs(long ms) {
    return new WriteOptions(
        expected, Checks.range("expiryMs", ms, 0, FactoryOptions.MAX_EXPIRY_MS));
  }

  public Expected expected() {
    return expected;
  }

  /** Null if the write says nothing of it. */
  public Long expiryMs() {
    return expiryMs;
  }
}
