package dev.weir.cluster;

/** A daemon thread that cannot be interrupted: an interrupt inside JE costs the environment. */
final class UninterruptibleThread extends Thread {
  UninterruptibleThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  @Override
  public void interrupt() {
    // It is stopped by a flag.
  }
}
