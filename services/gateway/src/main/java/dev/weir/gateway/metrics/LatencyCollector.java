package dev.weir.gateway.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Writes the histograms of all services, which Micrometer has no meter for. */
final class LatencyCollector implements MultiCollector {
  private static final double[] BOUNDS_SECONDS = boundsSeconds();

  private final Map<String, ServiceLatency> services;

  /**
   * @param services by address; may change at any time
   */
  LatencyCollector(Map<String, ServiceLatency> services) {
    this.services = services;
  }

  private static double[] boundsSeconds() {
    double[] bounds =
        Arrays.stream(LatencyHistogram.boundsNs()).mapToDouble(Meters::seconds).toArray();
    double[] all = Arrays.copyOf(bounds, bounds.length + 1);
    all[bounds.length] = Double.POSITIVE_INFINITY;
    return all;
  }

  @Override
  public MetricSnapshots collect() {
    Map<String, ServiceLatency> now = new TreeMap<>(services);
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    if (!now.isEmpty()) {
      all.metricSnapshot(
          histogram(MetricNames.SERVICE_WAITING, now, latencies -> latencies.waiting));
      all.metricSnapshot(
          histogram(MetricNames.SERVICE_HANDLING, now, latencies -> latencies.handling));
    }
    return all.build();
  }

  private static HistogramSnapshot histogram(
      Metric metric,
      Map<String, ServiceLatency> services,
      Function<ServiceLatency, LatencyHistogram> which) {
    HistogramSnapshot.Builder histogram =
        HistogramSnapshot.builder().name(metric.prometheusName()).help(metric.help());
    services.forEach(
        (address, latency) ->
            histogram.dataPoint(dataPoint(address, which.apply(latency).snapshot())));
    return histogram.build();
  }

  private static HistogramDataPointSnapshot dataPoint(String address, LatencySnapshot snapshot) {
    return HistogramDataPointSnapshot.builder()
        .labels(Labels.of(MetricNames.ADDRESS, address))
        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_SECONDS, snapshot.counts()))
        .sum(Meters.seconds(snapshot.sumNs()))
        .build();
  }

  @Override
  public List<String> getPrometheusNames() {
    return List.of(
        MetricNames.SERVICE_WAITING.prometheusName(),
        MetricNames.SERVICE_HANDLING.prometheusName());
  }
}
