/** The scenario "metrics": requests with and without metrics. */
package dev.weir.bench.eventbus.metrics;
