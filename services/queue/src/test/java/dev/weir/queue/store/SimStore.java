package dev.weir.queue.store;

import dev.weir.options.ByteBudget;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.je.SimDisk;
import dev.weir.queue.je.SimFiles;
import dev.weir.queue.line.StoreClock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One store over all its lives: the real engine, writer, reader and sync duties over a simulated
 * disk. There is one thread: what other threads would do meanwhile is done whenever the store uses
 * its files, in an order made of a seed.
 */
final class SimStore implements SimFiles.World {
  private static final long START_MS = 1_000_000_000_000L;
  private static final int MAX_DEPTH = 3;
  private static final int TRACED = 600;
  private static final int MAX_TURNS_TRACED = 6;

  final SplittableRandom random;
  final SimDisk disk;
  final List<SimQueue> queues = new ArrayList<>();
  private final QueueStoreOptions options;
  private final Deque<String> trace;
  private long nowNs = 1;

  /** How likely a write or sync fails, 1 in so many; 0 for never. */
  int failures;

  /** Whether the disk was full. */
  private boolean filled;

  /** Whether a write or sync has failed. */
  private boolean failed;

  /** Whether others act while a duty runs. */
  private boolean quiet;

  private boolean faultless;
  private int depth;
  private StoreEngine engine;
  private SimFiles files;
  private List<SimThread> threads = List.of();

  /** The process that runs now is gone. */
  private boolean dead = true;

  /** A caller waits for the writer thread. */
  private boolean blocking;

  /** Turns of threads since something else was traced. */
  private int turns;

  private AssertionError broken;

  ByteBudget buffers;
  private final long bufferBytes;

  SimStore(SplittableRandom random, boolean traced) {
    this.random = random;
    this.trace = traced ? new ArrayDeque<>() : null;
    this.disk = new SimDisk(random.split());
    this.options =
        new QueueStoreOptions(Path.of("simulated"))
            .setPacketBytes(1024 << random.nextInt(3))
            .setBatchBytes(1024 << random.nextInt(4))
            .setAckFlushMs(1 + random.nextInt(30));
    options.setSegmentThresholdBytes(random.nextBoolean() ? 1 + random.nextInt(1000) : 0);
    this.bufferBytes = 2048L << random.nextInt(8);
  }

  // ---- time and chance

  long nowNs() {
    return nowNs;
  }

  long nowMs() {
    return START_MS + nowNs / 1_000_000;
  }

  void pass(long ns) {
    nowNs += ns;
  }

  @Override
  public void trace(Supplier<String> what) {
    turns = 0;
    if (trace != null) {
      trace.add(String.format("%12.3f ms  %s%s", nowNs / 1e6, "  ".repeat(depth), what.get()));
      if (trace.size() > TRACED) {
        trace.poll();
      }
    }
  }

  /**
   * Notes a broken promise. The store may catch what is thrown, so {@link #check} throws it too.
   */
  AssertionError broken(String what) {
    trace(() -> "BROKEN: " + what);
    if (broken == null) {
      broken = new AssertionError(trace == null ? what : what + "\n" + String.join("\n", trace));
    }
    return broken;
  }

  void check() {
    if (broken != null) {
      throw broken;
    }
  }

  @Override
  public boolean chance(int of) {
    return random.nextInt(of) == 0;
  }

  @Override
  public boolean fails() {
    boolean fails = !faultless && failures > 0 && chance(failures);
    if (fails) {
      failed = true;
      trace(() -> "the disk fails");
    }
    return fails;
  }

  // ---- the process

  StoreEngine engine() {
    return engine;
  }

  SimFiles files() {
    return files;
  }

  /** Another user of the disk leaves so much of it. */
  void fill(long freeBytes) {
    disk.otherBytes = 0;
    disk.otherBytes = Math.max(0, disk.freeBytes() - freeBytes);
    filled |= disk.otherBytes > 0;
    trace(() -> "THE DISK HAS " + disk.freeBytes() + " FREE OF " + disk.minFreeBytes);
  }

  boolean wasFull() {
    return filled;
  }

  boolean hasFailed() {
    return failed;
  }

  boolean isDead() {
    return dead;
  }

  boolean isBlocking() {
    return blocking;
  }

  void open() {
    trace(() -> "OPEN");
    files = new SimFiles(options, disk, this);
    files.open();
    if (!files.hasRoomForMoves(false)) {
      // An opening needs room for the sequences that it reserves.
      disk.otherBytes = 0;
    }
    buffers = new ByteBudget(bufferBytes);
    List<SimThread> made = new ArrayList<>();
    engine =
        new StoreEngine(
            options,
            buffers,
            () -> {},
            files,
            new StoreClock(() -> Instant.ofEpochMilli(nowMs()), this::nowNs),
            (name, duty) -> {
              SimThread thread = new SimThread(name, duty, this::nowNs, this::woken);
              made.add(thread);
              return thread;
            });
    threads = made;
    dead = false;
    quietly(
        () -> {
          for (SimQueue queue : queues) {
            queue.open();
          }
        });
  }

  /** Does something without faults, and while nobody else acts. */
  void quietly(Runnable what) {
    boolean wasQuiet = quiet;
    boolean wasFaultless = faultless;
    quiet = true;
    faultless = true;
    try {
      what.run();
    } finally {
      quiet = wasQuiet;
      faultless = wasFaultless;
    }
  }

  void crash(boolean power) {
    trace(() -> power ? "POWER LOSS" : "KILL");
    end();
    if (power) {
      disk.losePower();
    } else {
      disk.kill();
    }
    queues.forEach(queue -> queue.restart(power));
  }

  private void end() {
    files.die();
    dead = true;
  }

  /** Closes the store in order. */
  void close() {
    trace(() -> "CLOSE");
    queues.forEach(SimQueue::beginClose);
    boolean orderly = true;
    for (int i = 0; !dead && queues.stream().anyMatch(queue -> !queue.isEnded()); i++) {
      if (i > 10_000) {
        throw broken("a queue cannot be closed");
      }
      if (!runSomeThread()) {
        passToNextDuty(() -> "a queue cannot be closed");
      }
      orderly &= files.isValid() && engine.fault() == null;
    }
    if (dead) {
      return;
    }
    runUntilIdle(0);
    if (dead) {
      return;
    }
    orderly &= files.isValid() && engine.fault() == null;
    boolean hasWritten = orderly;
    quietly(engine::close);
    dead = true;
    if (buffers.usedBytes() != 0) {
      throw broken("a closed store holds " + buffers.usedBytes() + " bytes of the budget");
    }
    if (!orderly) {
      // A write that failed may be the last one, and JE may keep what it has not written.
      disk.kill();
    }
    trace(() -> hasWritten ? "CLOSED" : "CLOSED IN A FAULT");
    queues.forEach(queue -> queue.closed(hasWritten));
  }

  // ---- threads

  /** Runs a thread that has something to do; false if none has. */
  boolean runSomeThread() {
    if (threads.isEmpty()) {
      return false;
    }
    int first = random.nextInt(threads.size());
    for (int i = 0; i < threads.size(); i++) {
      SimThread thread = threads.get((first + i) % threads.size());
      if (thread.isDue()) {
        run(thread);
        return true;
      }
    }
    return false;
  }

  private void run(SimThread thread) {
    int before = turns;
    if (before < MAX_TURNS_TRACED) {
      trace(() -> thread.name);
    }
    turns = before + 1;
    depth++;
    try {
      thread.runDuty();
    } catch (RuntimeException | Error e) {
      if (!dead) {
        AssertionError thrown = broken(thread.name + " failed: " + e);
        if (thrown != e && thrown.getCause() == null) {
          thrown.initCause(e);
        }
        throw thrown;
      }
    } finally {
      depth--;
    }
  }

  /** Lets time pass until a thread has something to do. */
  void passToNextDuty(Supplier<String> otherwise) {
    long next = Long.MAX_VALUE;
    for (SimThread thread : threads) {
      next = Math.min(next, thread.dueNs());
    }
    if (next == Long.MAX_VALUE) {
      throw broken(otherwise.get() + ": no thread has anything to do");
    }
    nowNs = Math.max(nowNs, next);
  }

  /** Runs the threads until none has anything to do within some time. */
  void runUntilIdle(long ns) {
    long endNs = nowNs + ns;
    for (int i = 0; !dead; i++) {
      if (i > 100_000) {
        throw broken("the threads come to no rest");
      }
      if (!runSomeThread()) {
        long next = Long.MAX_VALUE;
        for (SimThread thread : threads) {
          next = Math.min(next, thread.dueNs());
        }
        if (next > endNs) {
          return;
        }
        nowNs = Math.max(nowNs, next);
      }
    }
  }

  @Override
  public void others() {
    if (quiet || dead || depth >= MAX_DEPTH || !chance(3)) {
      return;
    }
    depth++;
    try {
      for (int i = 1 + random.nextInt(3); i > 0 && !dead; i--) {
        pass(random.nextInt(200_000));
        if (!chance(3)) {
          queues.get(random.nextInt(queues.size())).act();
        } else if (chance(60)) {
          crash(chance(2));
        } else {
          runSomeThread();
        }
      }
    } finally {
      depth--;
    }
  }

  /** Makes a call that waits for the writer thread. */
  <V> V call(Supplier<V> work) {
    blocking = true;
    try {
      return work.get();
    } finally {
      blocking = false;
    }
  }

  /** Called when the writer thread is woken. */
  void woken(SimThread thread) {
    if (!blocking || thread.isRunning() || !thread.name.endsWith("writer")) {
      return;
    }
    for (int i = 0; !engine.tasks().isEmpty(); i++) {
      if (i > 1000) {
        throw broken("a task is not done");
      }
      run(thread);
    }
  }
}
