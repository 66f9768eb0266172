package dev.weir.cluster;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other threads do, with a deadline that fails the test. */
final class Await {
  static final long DEADLINE_S = 90;
  private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(200);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    until(() -> what, DEADLINE_S, condition);
  }

  static void until(String what, long deadlineS, BooleanSupplier condition) {
    until(() -> what, deadlineS, condition);
  }

  /**
   * @param what asked when it was in vain
   */
  static void until(Supplier<String> what, BooleanSupplier condition) {
    until(what, DEADLINE_S, condition);
  }

  private static void until(Supplier<String> what, long deadlineS, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        fail("waited " + deadlineS + " s in vain: " + what.get());
      }
      LockSupport.parkNanos(LOOK_NS);
    }
  }
}
