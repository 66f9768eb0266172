/** The scenarios {@code rebalance} and {@code upgrade}: members of a sharded service change. */
package dev.weir.bench.cluster.shards;
