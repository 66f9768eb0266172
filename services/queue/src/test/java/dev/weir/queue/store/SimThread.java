package dev.weir.queue.store;

import dev.weir.queue.store.StoreThread.Duty;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A thread of a simulated store: its duty is run when the simulation says so. */
final class SimThread extends StoreThread {
  final String name;
  private final Duty duty;
  private final LongSupplier nowNs;
  private final Consumer<SimThread> onWake;
  private long dueNs;
  private boolean woken = true;
  private boolean running;

  /**
   * @param onWake called with this thread when it is woken
   */
  SimThread(String name, Duty duty, LongSupplier nowNs, Consumer<SimThread> onWake) {
    super(name, duty);
    this.name = name;
    this.duty = duty;
    this.nowNs = nowNs;
    this.onWake = onWake;
  }

  /** True if a real thread would run its duty now. */
  boolean isDue() {
    return !running && (woken || dueNs <= nowNs.getAsLong());
  }

  boolean isRunning() {
    return running;
  }

  /** When the duty is to run next, in ns; {@link Long#MAX_VALUE} for never. */
  long dueNs() {
    return dueNs;
  }

  void runDuty() {
    running = true;
    woken = false;
    try {
      long restNs = duty.run();
      dueNs = restNs == FOREVER ? Long.MAX_VALUE : nowNs.getAsLong() + restNs;
    } finally {
      running = false;
    }
  }

  @Override
  void start() {
    throw new AssertionError("nothing is started here");
  }

  @Override
  void wake() {
    woken = true;
    onWake.accept(this);
  }

  @Override
  boolean isCurrent() {
    return false;
  }

  @Override
  void stop() {
    // It does not run.
  }
}
