/** Which threads a processor has, which of them spin, and on which CPUs they run. */
package dev.weir.bench.cluster.threads;
