package dev.weir.bench.persistence.program;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A sink that hands messages to a writing thread through a bounded queue, and waits while it is
 * full.
 */
final class DetachedSink implements MessageSink {
  private static final Item END = new Item(-1, 0, null);
  private static final long LOOK_MS = 100;

  private record Item(long number, long startNs, byte[] message) {}

  private final MessageSink target;
  private final ArrayBlockingQueue<Item> queue;
  private final Thread thread;
  private volatile Exception failure;

  /**
   * @param begin called on the writing thread first
   */
  DetachedSink(MessageSink target, int queueDepth, Runnable begin) {
    this.target = target;
    this.queue = new ArrayBlockingQueue<>(queueDepth);
    this.thread = new Thread(() -> write(begin), "bench-detached-writer");
    thread.setDaemon(true);
    thread.start();
  }

  private void write(Runnable begin) {
    try {
      begin.run();
      for (Item item = queue.take(); item != END; item = queue.take()) {
        target.accept(item.number, item.startNs, item.message, !queue.isEmpty());
      }
      target.finish();
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  @Override
  public void accept(long number, long startNs, byte[] message, boolean moreDue)
      throws IOException, InterruptedException {
    put(new Item(number, startNs, message.clone()));
  }

  private void put(Item item) throws IOException, InterruptedException {
    while (!queue.offer(item, LOOK_MS, TimeUnit.MILLISECONDS)) {
      throwFailure();
    }
  }

  @Override
  public void finish() throws IOException, InterruptedException {
    put(END);
    thread.join();
    throwFailure();
  }

  private void throwFailure() throws IOException {
    if (failure != null) {
      throw new IOException("the detached writer failed: " + failure, failure);
    }
  }
}
