/** Latency recording on HdrHistogram: fixed range, out-of-range values counted, never dropped. */
package dev.weir.bench.record;
