package dev.weir.queue.store;

/**
 * A daemon thread that ignores interrupts. An interrupt inside JE invalidates the environment; one
 * during the opening leaves the environment half made.
 */
final class UninterruptibleThread extends Thread {
  UninterruptibleThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  @Override
  public void interrupt() {
    // Threads of a store are stopped by a flag.
  }
}
