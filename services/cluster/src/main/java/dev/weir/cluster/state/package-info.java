/**
 * Holds the state that messages lead to: the processor's own, the clients' sessions, and snapshots
 * of both. Used by the replica.
 */
package dev.weir.cluster.state;
