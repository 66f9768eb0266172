package dev.weir.options;

/**
 * What one holder has taken of a {@link ByteBudget}. The lease takes and gives back in steps, so
 * that a message seldom changes the counter that all holders share. Used by one thread at a time.
 *
 * <p>A step is a quarter of what the holder holds, within bounds. So many holders that hold little
 * do not use up the budget by what they have taken and do not hold.
 */
public final class ByteLease {
  private static final long MAX_STEP_BYTES = 256 << 10;
  private static final int MAX_STEPS_IN_BUDGET = 64;
  private static final int MIN_STEPS_IN_BUDGET = 8_192;
  private static final int STEPS_IN_HELD = 4;

  private final ByteBudget budget;
  private final long minStepBytes;
  private final long maxStepBytes;
  private long takenBytes;

  public ByteLease(ByteBudget budget) {
    this(
        budget,
        Math.min(MAX_STEP_BYTES, budget.limitBytes() / MIN_STEPS_IN_BUDGET),
        Math.min(MAX_STEP_BYTES, budget.limitBytes() / MAX_STEPS_IN_BUDGET));
  }

  private ByteLease(ByteBudget budget, long minStepBytes, long maxStepBytes) {
    this.budget = budget;
    this.minStepBytes = minStepBytes;
    this.maxStepBytes = maxStepBytes;
  }

  /** A lease that takes and gives back exactly what is held, for one of very many holders. */
  public static ByteLease exact(ByteBudget budget) {
    return new ByteLease(budget, 0, 0);
  }

  private long stepBytes(long heldBytes) {
    return Math.min(maxStepBytes, Math.max(minStepBytes, heldBytes / STEPS_IN_HELD));
  }

  /**
   * Takes what the holder lacks.
   *
   * @param heldBytes all that the holder wants to hold
   * @return false if the budget does not have them; the holder keeps what it has
   */
  public boolean covers(long heldBytes) {
    long more = heldBytes - takenBytes;
    if (more <= 0) {
      return true;
    }
    long stepBytes = stepBytes(heldBytes);
    if (more < stepBytes && budget.tryTake(stepBytes)) {
      takenBytes += stepBytes;
      return true;
    }
    if (budget.tryTake(more)) {
      takenBytes = heldBytes;
      return true;
    }
    return false;
  }

  /** Whether the budget would have that many for the holder now, if it held nothing else. */
  public boolean mayCover(long heldBytes) {
    return heldBytes <= takenBytes || budget.hasRoom(heldBytes - takenBytes);
  }

  /**
   * Notes what the holder holds: gives back what is more than a step above it, and takes what the
   * holder has beyond the lease, over the limit of the budget if need be.
   */
  public void settle(long heldBytes) {
    long spare = takenBytes - heldBytes;
    if (spare < 0) {
      budget.take(-spare);
      takenBytes = heldBytes;
    } else if (heldBytes == 0) {
      if (spare > 0) {
        budget.give(spare);
        takenBytes = 0;
      }
    } else if (spare > 2 * stepBytes(heldBytes)) {
      long kept = stepBytes(heldBytes);
      budget.give(spare - kept);
      takenBytes = heldBytes + kept;
    }
  }
}
