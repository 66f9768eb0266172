/**
 * The scenarios "latency" and "probe": response times at fixed rates, at rest and beside a flood.
 */
package dev.weir.bench.eventbus.latency;
