package dev.weir.gateway.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.micrometer.Label;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.UUID;

/** Chooses which figures of Vert.x and of the JVM are kept, and under which names. */
public final class VertxFigures {
  public static final String RESPONSE_TIME = "vertx.http.server.response.time";

  private VertxFigures() {}

  /**
   * HTTP, network and pools. Not the event bus: its figures cost as much again as a message, and
   * those of the services say more. Not the method of a request, which a client may invent. With
   * the local address, so that the figures of two ports stay apart.
   */
  public static MetricsOptions options() {
    return new MicrometerMetricsOptions()
        .setEnabled(true)
        // Vert.x keeps registries by name for the whole JVM.
        .setRegistryName("weir-" + UUID.randomUUID())
        .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS)
        .setLabels(
            EnumSet.of(
                Label.LOCAL, Label.HTTP_ROUTE, Label.HTTP_CODE, Label.POOL_TYPE, Label.POOL_NAME));
  }

  /** The same bounds as in the histograms of Prometheus. */
  static Duration[] latencyBounds() {
    return Arrays.stream(LatencyHistogram.boundsNs())
        .mapToObj(Duration::ofNanos)
        .toArray(Duration[]::new);
  }

  static void filter(MeterRegistry registry) {
    registry
        .config()
        // Their names are against Prometheus' rules; process.cpu.usage says the same.
        .meterFilter(MeterFilter.denyNameStartsWith("process.cpu.time"))
        .meterFilter(MeterFilter.denyNameStartsWith("system.cpu.count"))
        .meterFilter(new ResponseTimeBuckets());
  }

  /** So that percentiles can be had of response times too. */
  private static final class ResponseTimeBuckets implements MeterFilter {
    private static final double[] BOUNDS_NS =
        Arrays.stream(LatencyHistogram.boundsNs()).asDoubleStream().toArray();

    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
      return id.getName().equals(RESPONSE_TIME)
          ? DistributionStatisticConfig.builder()
              .serviceLevelObjectives(BOUNDS_NS)
              .build()
              .merge(config)
          : config;
    }
  }
}
