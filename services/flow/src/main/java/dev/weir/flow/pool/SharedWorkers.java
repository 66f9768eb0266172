package dev.weir.flow.pool;

/**
 * How many messages the pools of one service handle at once, all together: one pool for each
 * priority. Called by one thread.
 */
public final class SharedWorkers {
  private int workers;
  private int busy;

  /**
   * @param workers 1 or more
   */
  public SharedWorkers(int workers) {
    this.workers = workers;
  }

  void resize(int newWorkers) {
    workers = newWorkers;
  }

  boolean isFree() {
    return busy < workers;
  }

  void take() {
    busy++;
  }

  void giveBack() {
    busy--;
  }
}
