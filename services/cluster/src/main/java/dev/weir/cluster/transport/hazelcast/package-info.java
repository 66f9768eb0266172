/**
 * Carries frames between members as Hazelcast operations, and joins the Hazelcast cluster. Used by
 * the entry classes of the root package.
 */
package dev.weir.cluster.transport.hazelcast;
