package dev.weir.options;

/**
 * What one holder has taken of a {@link ByteBudget}. The lease takes and gives back in steps, so
 * that a message seldom changes the counter that all holders share. Used by one thread at a time.
 */
public final class ByteLease {
  private static final long MAX_STEP_BYTES = 256 << 10;
  private static final int STEPS_IN_BUDGET = 64;

  private final ByteBudget budget;
  private final long stepBytes;
  private long takenBytes;

  public ByteLease(ByteBudget budget) {
    this(budget, Math.min(MAX_STEP_BYTES, budget.limitBytes() / STEPS_IN_BUDGET));
  }

  private ByteLease(ByteBudget budget, long stepBytes) {
    this.budget = budget;
    this.stepBytes = stepBytes;
  }

  /** A lease that takes and gives back exactly what is held, for one of very many holders. */
  public static ByteLease exact(ByteBudget budget) {
    return new ByteLease(budget, 0);
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

  /**
   * Notes what the holder holds: gives back what is more than a step above it, and takes what the
   * holder has beyond the lease, over the limit of the budget if need be.
   */
  public void settle(long heldBytes) {
    long spare = takenBytes - heldBytes;
    if (spare < 0) {
      budget.take(-spare);
      takenBytes = heldBytes;
    } else if (spare > 2 * stepBytes || heldBytes == 0 && spare > 0) {
      long kept = heldBytes == 0 ? 0 : stepBytes;
      budget.give(spare - kept);
      takenBytes = heldBytes + kept;
    }
  }
}
