/**
 * Runs the threads of a group, the rings that pass bytes between them, and the turns of threads
 * that groups share. Used by the replica, the log and the transports.
 */
package dev.weir.cluster.threads;
