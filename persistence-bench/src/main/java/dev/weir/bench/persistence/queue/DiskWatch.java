package dev.weir.bench.persistence.queue;

import dev.weir.bench.program.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures the size of a directory ten times a second and keeps the largest. */
final class DiskWatch implements AutoCloseable {
  private static final long LOOK_MS = 100;

  private final Path directory;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "bench-disk-watch");
  private volatile long highestBytes;
  private volatile IOException failure;

  private DiskWatch(Path directory) {
    this.directory = directory;
    thread.setDaemon(true);
  }

  static DiskWatch start(Path directory) {
    DiskWatch watch = new DiskWatch(directory);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      do {
        highestBytes = Math.max(highestBytes, Directories.bytes(directory));
      } while (!closed.await(LOOK_MS, TimeUnit.MILLISECONDS));
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The largest size seen. */
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
