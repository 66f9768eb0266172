package dev.weir.bench.persistence.queue;

import dev.weir.bench.program.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures a queue and its directory ten times a second and keeps the largest sizes. */
final class DiskWatch implements AutoCloseable {
  private static final long LOOK_MS = 100;

  private final Path directory;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "bench-disk-watch");
  private final LongSupplier queueBytes;
  private volatile long highestBytes;
  private volatile long highestQueueBytes;
  private volatile IOException failure;

  private DiskWatch(Path directory, LongSupplier queueBytes) {
    this.directory = directory;
    this.queueBytes = queueBytes;
    thread.setDaemon(true);
  }

  /**
   * @param queueBytes of what is in the queue; any thread
   */
  static DiskWatch start(Path directory, LongSupplier queueBytes) {
    DiskWatch watch = new DiskWatch(directory, queueBytes);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      do {
        highestQueueBytes = Math.max(highestQueueBytes, queueBytes.getAsLong());
        highestBytes = Math.max(highestBytes, Directories.bytes(directory));
      } while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS));
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The most bytes seen in the queue. */
  long highestQueueBytes() {
    return highestQueueBytes;
  }

  /** The largest size of the directory seen. */
  long highestBytes() throws IOException {
    if (failure != null) {
      throw failure;
    }
    return highestBytes;
  }

  /** Waits until the directory is no larger than asked, for a while; returns its size then. */
  static long awaitAtMost(Path directory, long bytes, long timeoutMs)
      throws IOException, InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    long size = Directories.bytes(directory);
    while (size > bytes && endNs - System.nanoTime() > 0) {
      Thread.sleep(LOOK_MS);
      size = Directories.bytes(directory);
    }
    return size;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
