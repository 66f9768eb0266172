/** Replicated logs and maps of others, measured beside the groups of processors. */
package dev.weir.bench.cluster.peers;
