package dev.weir.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what others do, and fails with what it was when it does not come. */
public final class Await {
  /** Long enough for a machine that has much else to do. */
  public static final long DEADLINE_S = 90;

  private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private Await() {}

  /** Waits for so long as {@link #DEADLINE_S}. */
  public static void until(String what, BooleanSupplier condition) {
    until(() -> what, DEADLINE_S, condition);
  }

  /** Waits for so many seconds. */
  public static void until(String what, long deadlineS, BooleanSupplier condition) {
    until(() -> what, deadlineS, condition);
  }

  /** What it was is asked when it was in vain. */
  public static void until(Supplier<String> what, BooleanSupplier condition) {
    until(what, DEADLINE_S, condition);
  }

  /** What it was is asked when it was in vain. */
  public static void until(Supplier<String> what, long deadlineS, BooleanSupplier condition) {
    long startNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(deadlineS)) {
        throw new AssertionError("waited " + deadlineS + " s in vain: " + what.get());
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
