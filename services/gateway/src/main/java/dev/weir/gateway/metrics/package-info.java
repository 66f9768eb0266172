/**
 * Figures for operation: {@link dev.weir.gateway.metrics.MetricNames} has all names, {@link
 * dev.weir.gateway.metrics.Metrics} collects and writes them. Part of the API are {@code Metrics}
 * and what it takes and gives: {@code MetricsFormat}, {@code LatencySnapshot}, {@code ClusterView},
 * {@code GroupWords}, and the meters {@code GroupMetrics}, {@code ShardMetrics} and {@code
 * DocumentMetrics}. The other classes are implementation and change without notice.
 */
package dev.weir.gateway.metrics;
