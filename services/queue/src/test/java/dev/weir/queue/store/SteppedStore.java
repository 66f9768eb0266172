package dev.weir.queue.store;

import dev.weir.options.ByteBudget;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.je.SimDisk;
import dev.weir.queue.je.SimFiles;
import dev.weir.queue.line.StoreClock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A store with simulated files, whose threads take a turn when the test says so. */
final class SteppedStore implements SimFiles.World {
  private static final long START_MS = 1_000_000_000_000L;

  final SimDisk disk = new SimDisk(null);

  /** Whether the next commits and syncs fail. */
  boolean failing;

  /** Whether a commit that fails reaches the disk nevertheless. */
  boolean writesWhatFails;

  /** What others do while the files are in use. */
  Runnable meanwhile = () -> {};

  /** So long the threads act as soon as one is woken, for a caller who waits for them. */
  long awaitMs;

  private final QueueStoreOptions options =
      new QueueStoreOptions(Path.of("simulated")).setPacketBytes(1024);
  private long nowNs;
  private StoreEngine engine;
  private SimFiles files;
  private final List<SimThread> threads = new ArrayList<>();

  SteppedStore() {
    open();
  }

  /** Opens the store; the process that had it open is gone. */
  void open() {
    threads.clear();
    disk.kill();
    files = new SimFiles(options, disk, this);
    files.open();
    engine =
        new StoreEngine(
            options,
            new ByteBudget(1 << 20),
            () -> {},
            files,
            new StoreClock(() -> Instant.ofEpochMilli(nowMs()), () -> nowNs),
            (name, duty) -> {
              SimThread thread = new SimThread(name, duty, () -> nowNs, this::woken);
              threads.add(thread);
              return thread;
            });
  }

  private void woken(SimThread thread) {
    long ms = awaitMs;
    if (ms > 0) {
      awaitMs = 0;
      pass(ms);
      awaitMs = ms;
    }
  }

  long nowMs() {
    return START_MS + nowNs / 1_000_000;
  }

  DurableQueue<byte[]> queue(QueueOptions its) {
    return queue("q", its);
  }

  DurableQueue<byte[]> queue(String name, QueueOptions its) {
    return engine.queue(name, Serde.BYTES, its, (attachment, reason) -> {});
  }

  /** Whether the queues hold more than half of what all of them may. */
  boolean isHeapScarce() {
    return engine.heap().usedBytes() > engine.buffers().limitBytes() / 2;
  }

  /** Names of the tables of the queue that have records, and how many. */
  Map<String, Integer> contents() {
    return files.contents("q");
  }

  SimThread writer() {
    return threads.get(0);
  }

  SimThread reader() {
    return threads.get(1);
  }

  SimThread sync() {
    return threads.get(2);
  }

  /** Lets time pass, while the threads do nothing. */
  void rest(long ms) {
    nowNs += ms * 1_000_000;
  }

  /** Lets time pass, while the threads do what they have to do. */
  void pass(long ms) {
    long endNs = nowNs + ms * 1_000_000;
    for (int turns = 0; nowNs <= endNs; turns++) {
      if (turns > 10_000) {
        throw new AssertionError("the threads do not rest");
      }
      boolean done = false;
      long nextNs = endNs + 1;
      for (SimThread thread : threads) {
        if (thread.isDue()) {
          thread.runDuty();
          done = true;
        }
        nextNs = Math.min(nextNs, thread.dueNs());
      }
      nowNs = done ? nowNs : Math.max(nowNs, nextNs);
    }
  }

  // ---- the world of the files

  @Override
  public void others() {
    Runnable now = meanwhile;
    meanwhile = () -> {};
    now.run();
    meanwhile = now;
  }

  @Override
  public boolean fails() {
    return failing;
  }

  @Override
  public void trace(Supplier<String> what) {}

  @Override
  public boolean chance(int of) {
    return failing && writesWhatFails;
  }
}
