package dev.weir.bench.record;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.SingleWriterRecorder;
import org.HdrHistogram.ValueRecorder;

/**
 * Latencies of one row, in nanoseconds, from 0 to {@link #MAX_VALUE_NS} at three significant
 * digits. A value outside is recorded at the nearest end and counted by {@link #outOfRange}.
 *
 * <p>{@link #record} is wait-free; all other methods may be called from any thread while writers go
 * on.
 */
public final class Recording {
  /** The longest latency that is recorded as such: ten minutes. */
  public static final long MAX_VALUE_NS = TimeUnit.MINUTES.toNanos(10);

  private static final int DIGITS = 3;
  private static final int TICKS_PER_HALF_DISTANCE = 5;
  private static final double NANOS_PER_MICRO = 1000.0;

  private final ValueRecorder recorder;
  private final UnaryOperator<Histogram> takeInterval;
  private final Histogram total = new Histogram(1, MAX_VALUE_NS, DIGITS);
  private final LongAdder outOfRange = new LongAdder();

  private Recording(ValueRecorder recorder, UnaryOperator<Histogram> takeInterval) {
    this.recorder = recorder;
    this.takeInterval = takeInterval;
  }

  /** For values that come from one thread at a time. */
  public static Recording singleWriter() {
    SingleWriterRecorder recorder = new SingleWriterRecorder(1, MAX_VALUE_NS, DIGITS);
    return new Recording(recorder, recorder::getIntervalHistogram);
  }

  /** For values that come from many threads at once. */
  public static Recording concurrent() {
    Recorder recorder = new Recorder(1, MAX_VALUE_NS, DIGITS);
    return new Recording(recorder, recorder::getIntervalHistogram);
  }

  /** Records one latency in nanoseconds. */
  public void record(long latencyNs) {
    if (latencyNs >= 0 && latencyNs <= MAX_VALUE_NS) {
      recorder.recordValue(latencyNs);
    } else {
      outOfRange.increment();
      recorder.recordValue(latencyNs < 0 ? 0 : MAX_VALUE_NS);
    }
  }

  /** Values below 0 or above {@link #MAX_VALUE_NS} since the last reset. */
  public long outOfRange() {
    return outOfRange.sum();
  }

  /** What was recorded since the last call of this method, {@link #histogram} or reset. */
  public synchronized Histogram interval() {
    Histogram interval = takeInterval.apply(null);
    total.add(interval);
    return interval;
  }

  /** All that was recorded since the last reset, as a copy. */
  public synchronized Histogram histogram() {
    interval();
    return total.copy();
  }

  /** Adds all that another one has recorded since its last reset. */
  public synchronized void add(Recording other) {
    total.add(other.histogram());
    outOfRange.add(other.outOfRange());
  }

  /** The percentiles of {@link #histogram}. */
  public LatencySummary summary() {
    return LatencySummary.of(histogram());
  }

  /** Forgets everything, after a warm-up for example. */
  public synchronized void reset() {
    takeInterval.apply(null);
    total.reset();
    outOfRange.reset();
  }

  /** Writes the percentile distribution of a histogram of nanoseconds, in microseconds. */
  public static void writeHgrm(Histogram histogram, Path file) throws IOException {
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      histogram.outputPercentileDistribution(out, TICKS_PER_HALF_DISTANCE, NANOS_PER_MICRO);
      if (out.checkError()) {
        throw new IOException("could not write " + file);
      }
    }
  }
}
