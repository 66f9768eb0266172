/**
 * Keeps the transaction log of a replica in Berkeley DB JE or in memory. Only this package names
 * JE; used by the replica and its state.
 */
package dev.weir.cluster.log;
