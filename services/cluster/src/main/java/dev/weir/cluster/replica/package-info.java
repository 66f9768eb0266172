/**
 * Runs one replica of a group: primary, backup, catch-up of followers, and the threads that drive
 * them. Used by the entry classes of the root package.
 */
package dev.weir.cluster.replica;
