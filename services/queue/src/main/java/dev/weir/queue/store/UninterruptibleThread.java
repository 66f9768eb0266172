package dev.weir.queue.store;

/**
 * A daemon thread that cannot be interrupted, whoever finds it: an interrupt inside JE costs the
 * environment, and one while JE opens leaves it half made.
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
