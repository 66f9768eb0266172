/**
 * Clustered processors, measured wire to wire.
 *
 * <p>The driver, {@link dev.weir.bench.cluster.Injection}, knows nothing but a {@link
 * dev.weir.bench.cluster.ProcessorUnderTest}; the programs and scenarios say which that is.
 */
package dev.weir.bench.cluster;
