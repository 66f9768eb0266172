/**
 * Figures for operation: {@link dev.weir.gateway.metrics.MetricNames} has all names, {@link
 * dev.weir.gateway.metrics.Metrics} collects and writes them.
 */
package dev.weir.gateway.metrics;
