/**
 * Connects clients outside the cluster with the primary of a group over TCP. Users create {@link
 * dev.weir.cluster.client.ProcessorClient} and {@link dev.weir.cluster.client.ClientEndpoint}.
 */
package dev.weir.cluster.client;
