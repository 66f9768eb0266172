/** Load at a steady rate, whatever happens to the members, and what it saw over time. */
package dev.weir.bench.cluster.steady;
