/**
 * The TCP connections between clients outside the cluster and the primary of a group. Used by
 * {@link dev.weir.cluster.ProcessorClient} and {@link dev.weir.cluster.ClientEndpoint}.
 */
package dev.weir.cluster.client;
