package dev.weir.bench;

import java.util.Locale;

/** How long a run may take. */
public enum Profile {
  /** Minutes for a whole suite: every scenario, fewer operations. */
  QUICK,
  /** As long as a stable figure needs. */
  FULL;

  /** The first value in the quick profile, the second in the full one. */
  public <T> T pick(T quick, T full) {
    return this == QUICK ? quick : full;
  }

  /** The name as in results: {@code quick} or {@code full}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
