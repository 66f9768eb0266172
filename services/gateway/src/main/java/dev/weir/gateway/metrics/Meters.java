package dev.weir.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters of one object, removed together with it. They hold a strong reference to it, which a
 * registry does not. One thread at a time; any thread may read the meters.
 *
 * @param <T> the figures
 */
public final class Meters<T> implements AutoCloseable {
  /** One look serves all meters of a scrape. */
  private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final double NS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final Tags tags;
  private final Supplier<T> source;
  private final List<Meter> meters = new ArrayList<>();
  private T figures;
  private long takenNs;

  /**
   * @param tags of all of them
   * @param source asked at most every 50 ms, on the thread that scrapes; gives null while there is
   *     nothing to see
   */
  public Meters(MeterRegistry registry, Tags tags, Supplier<T> source) {
    this.registry = registry;
    this.tags = tags;
    this.source = source;
  }

  /**
   * Registers a gauge or a counter.
   *
   * @throws IllegalArgumentException if the metric is a histogram
   */
  public Meters<T> add(Metric metric, ToDoubleFunction<T> figure) {
    return add(metric, Tags.empty(), figure);
  }

  /** The same with more tags. */
  public Meters<T> add(Metric metric, Tags more, ToDoubleFunction<T> figure) {
    ToDoubleFunction<Meters<T>> read = meters -> meters.read(figure);
    meters.add(
        switch (metric.type()) {
          case GAUGE ->
              Gauge.builder(metric.name(), this, read)
                  .description(metric.help())
                  .tags(tags.and(more))
                  .register(registry);
          case COUNTER ->
              FunctionCounter.builder(metric.name(), this, read)
                  .description(metric.help())
                  .tags(tags.and(more))
                  .register(registry);
          case HISTOGRAM ->
              throw new IllegalArgumentException(metric + " is not read as one value");
        });
    return this;
  }

  private double read(ToDoubleFunction<T> figure) {
    T now = figures();
    return now == null ? Double.NaN : figure.applyAsDouble(now);
  }

  private synchronized T figures() {
    long nowNs = System.nanoTime();
    if (figures == null || nowNs - takenNs > FRESH_NS) {
      figures = source.get();
      takenNs = nowNs;
    }
    return figures;
  }

  static double seconds(long ns) {
    return ns / NS_PER_SECOND;
  }

  static double truth(boolean is) {
    return is ? 1 : 0;
  }

  /** Takes the meters out of the registry. */
  @Override
  public void close() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
