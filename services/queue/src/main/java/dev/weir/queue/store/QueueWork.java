package dev.weir.queue.store;

/** The kinds of work that a queue has for the threads of its store, as bits of an int. */
public final class QueueWork {
  /** Messages are to be written. */
  static final int WRITE = 1;

  /** Acknowledgements are to be written. */
  public static final int UPKEEP = 2;

  /** The consumer is to be told that it can poll again. */
  static final int SIGNAL = 4;

  /** The queue is to be closed. */
  static final int CLOSE = 8;

  /** Packets are to be read. */
  static final int READ = 16;

  /** Deferred messages are to be read. */
  static final int READ_DEFERRED = 32;

  /** The count of a delivery is to be written before the delivery; {@link #UPKEEP} is set too. */
  static final int COUNT = 64;

  private QueueWork() {}
}
