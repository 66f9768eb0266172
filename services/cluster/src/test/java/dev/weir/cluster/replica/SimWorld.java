package dev.weir.cluster.replica;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Time and chance of a simulation, made of a seed: the same seed gives the same run. One thread.
 */
final class SimWorld {
  static final long MS = 1_000_000;
  private static final int TRACE_LINES = 600;

  private record Step(long atNs, long order, Runnable action) implements Comparable<Step> {
    @Override
    public int compareTo(Step other) {
      int byTime = Long.compare(atNs, other.atNs);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private record Line(long atNs, String what) {
    @Override
    public String toString() {
      return String.format("%10.3f ms  %s", atNs / 1e6, what);
    }
  }

  final long seed;
  final Random random;
  private final Queue<Step> steps = new PriorityQueue<>();
  private final Deque<Line> trace = new ArrayDeque<>();
  private long nowNs;
  private long lastStep;

  SimWorld(long seed) {
    this.seed = seed;
    random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
  }

  long nowNs() {
    return nowNs;
  }

  long between(long leastNs, long mostNs) {
    return leastNs + (long) (random.nextDouble() * (mostNs - leastNs));
  }

  /** Whether something happens that happens once in so many times. */
  boolean once(int times) {
    return random.nextInt(times) == 0;
  }

  void after(long delayNs, Runnable action) {
    at(nowNs + delayNs, action);
  }

  void at(long timeNs, Runnable action) {
    steps.add(new Step(timeNs, ++lastStep, action));
  }

  /** Runs what is due. An action may call this: what it then sees is the work of other threads. */
  void runUntil(long timeNs) {
    while (steps.peek() != null && steps.peek().atNs() <= timeNs) {
      Step step = steps.remove();
      nowNs = Math.max(nowNs, step.atNs());
      step.action().run();
    }
    nowNs = Math.max(nowNs, timeNs);
  }

  void trace(String what) {
    if (trace.size() == TRACE_LINES) {
      trace.removeFirst();
    }
    trace.add(new Line(nowNs, what));
  }

  void require(boolean holds, String promise) {
    if (!holds) {
      throw broken(promise, null);
    }
  }

  void require(boolean holds, Supplier<String> promise) {
    if (!holds) {
      throw broken(promise.get(), null);
    }
  }

  AssertionError broken(String promise, Throwable cause) {
    StringBuilder text = new StringBuilder("broken with seed " + seed + ": " + promise);
    trace.forEach(line -> text.append("\n  ").append(line));
    return new AssertionError(text.append("\n  ").append(promise).toString(), cause);
  }
}
