package dev.weir.cluster.threads;

/** A daemon thread that cannot be interrupted: an interrupt inside JE costs the environment. */
public final class UninterruptibleThread extends Thread {
  public UninterruptibleThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  @Override
  public void interrupt() {
    // It is stopped by a flag.
  }

  /** Waits for its end, whatever the caller's interrupts, which it keeps. */
  public void awaitEnd() {
    boolean interrupted = false;
    while (isAlive()) {
      try {
        join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
