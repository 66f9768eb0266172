/**
 * Runs the threads of a group and the rings that pass bytes between them. Used by the replica, the
 * log and the transports.
 */
package dev.weir.cluster.threads;
