/** The programs {@code es-processor} and {@code sr-processor}, and what they print and write. */
package dev.weir.bench.cluster.program;
