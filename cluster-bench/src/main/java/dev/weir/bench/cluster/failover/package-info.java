/** The scenario {@code failover}: faults, a driver that never stops, and what each fault cost. */
package dev.weir.bench.cluster.failover;
