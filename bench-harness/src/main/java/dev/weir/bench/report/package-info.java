/** Results as rows, and their forms: JSON, CSV, percentile files, text, BENCHMARK.txt, progress. */
package dev.weir.bench.report;
