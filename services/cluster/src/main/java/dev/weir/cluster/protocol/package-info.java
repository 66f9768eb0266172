/**
 * Decides who is primary, who is in sync and who may acknowledge, without clocks, threads or I/O.
 * Used by the replica and the log; names no other package of the module but the root.
 */
package dev.weir.cluster.protocol;
