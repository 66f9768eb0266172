/**
 * Processors that survive their machine: a primary handles messages, backups hold the same history
 * and take over.
 *
 * <p>A {@link dev.weir.cluster.ClusterNode} is one member; on it run replicas of processor groups,
 * each with its own log, role and epoch. A user implements {@link
 * dev.weir.cluster.EventSourcedProcessor} or {@link dev.weir.cluster.StateReplicatedProcessor}.
 */
package dev.weir.cluster;
