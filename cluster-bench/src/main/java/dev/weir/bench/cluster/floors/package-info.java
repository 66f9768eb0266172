/** The scenario {@code floors}: what TCP, Hazelcast and JE do alone. */
package dev.weir.bench.cluster.floors;
