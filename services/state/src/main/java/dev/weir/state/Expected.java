package dev.weir.state;

import dev.weir.options.Checks;

/**
 * What an operation expects of the document that it finds; otherwise it fails with {@link
 * DocumentFailure#VERSION_MISMATCH} and changes nothing.
 */
public final class Expected {
  private static final long ANYTHING = -1;
  private static final long EXISTING = -2;
  private static final Expected ANY = new Expected(ANYTHING);
  private static final Expected ABSENT = new Expected(0);
  private static final Expected PRESENT = new Expected(EXISTING);

  private final long version;

  private Expected(long version) {
    this.version = version;
  }

  /** Any document or none. */
  public static Expected any() {
    return ANY;
  }

  /** No document. */
  public static Expected absent() {
    return ABSENT;
  }

  /** A document of any version. */
  public static Expected present() {
    return PRESENT;
  }

  /**
   * A document of exactly this version.
   *
   * @param version 1 or more
   */
  public static Expected version(long version) {
    return new Expected(Checks.range("version", version, 1, Long.MAX_VALUE));
  }

  /**
   * What is expected as a number: -1 for any document or none, -2 for a document of any version, 0
   * for no document, else the version.
   */
  public long code() {
    return version;
  }

  /**
   * The expectation of a {@link #code()}.
   *
   * @throws IllegalArgumentException for another number
   */
  public static Expected of(long code) {
    return new Expected(Checks.range("expected", code, EXISTING, Long.MAX_VALUE));
  }

  /**
   * Whether the expectation is met.
   *
   * @param found the version of the document; 0 if there is none
   */
  public boolean isMetBy(long found) {
    return version == ANYTHING || (version == EXISTING ? found != 0 : version == found);
  }

  /** What is expected, such as "version 3". */
  @Override
  public String toString() {
    if (version == ANYTHING) {
      return "anything";
    }
    return version == EXISTING ? "a document" : version == 0 ? "no document" : "version " + version;
  }
}
