package dev.weir.bench;

import dev.weir.bench.report.Progress;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Repeats work before a measurement until the JIT compilers of the JVMs at work are idle. Busy
 * compilers would take the CPU from the first measurement, whose code is slow until it is compiled.
 */
public final class Preheat {
  /** The compilers count as idle below this share of the time of a pass. */
  static final double REST_SHARE = 0.1;

  private static final double NS_PER_MS = 1e6;

  private final int mostPasses;
  private final LongSupplier compiledMs;
  private final LongSupplier clockNs;

  /** The work that is repeated. */
  @FunctionalInterface
  public interface Pass {
    /** Does all of it once. */
    void run() throws Exception;
  }

  /**
   * What the preheat did.
   *
   * @param passes how often the work was repeated, at least 1
   * @param compiledShare compilation time in the last pass over its length; more than one compiler
   *     may have been at work
   */
  public record Outcome(int passes, double compiledShare) {
    /** As a note of the report. */
    public String note() {
      return String.format(
          Locale.ROOT,
          "preheat: %d passes, in the last the compilers worked %.0f %% of the time",
          passes,
          100 * compiledShare);
    }
  }

  /** Never more than so many passes, at least 1; for work in this JVM. */
  public Preheat(int mostPasses) {
    this(mostPasses, Preheat::compiledMs);
  }

  /**
   * For work in several JVMs.
   *
   * @param compiledMs how long the compilers of all of them have worked, in sum
   */
  public Preheat(int mostPasses, LongSupplier compiledMs) {
    this(mostPasses, compiledMs, System::nanoTime);
  }

  Preheat(int mostPasses, LongSupplier compiledMs, LongSupplier clockNs) {
    if (mostPasses < 1) {
      throw new IllegalArgumentException("mostPasses must be at least 1: " + mostPasses);
    }
    this.mostPasses = mostPasses;
    this.compiledMs = compiledMs;
    this.clockNs = clockNs;
  }

  /** How long the compilers of this JVM have worked; 0 in an interpreter. */
  public static long compiledMs() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers == null || !compilers.isCompilationTimeMonitoringSupported()
        ? 0
        : compilers.getTotalCompilationTime();
  }

  /**
   * Repeats the work, blocking the caller.
   *
   * @param label name of the work in the progress
   * @throws Exception what the pass throws
   */
  public Outcome run(String label, Progress progress, Pass pass) throws Exception {
    progress.begin(label, mostPasses);
    try {
      for (int passes = 1; ; passes++) {
        double share = shareOf(pass);
        progress.step("pass " + passes);
        if (share < REST_SHARE || passes == mostPasses) {
          return new Outcome(passes, share);
        }
      }
    } finally {
      progress.end();
    }
  }

  private double shareOf(Pass pass) throws Exception {
    long beforeMs = compiledMs.getAsLong();
    long startNs = clockNs.getAsLong();
    pass.run();
    double elapsedMs = (clockNs.getAsLong() - startNs) / NS_PER_MS;
    return (compiledMs.getAsLong() - beforeMs) / Math.max(1, elapsedMs);
  }
}
