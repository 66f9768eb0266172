/**
 * Defines how members of a group exchange frames, and the parts that all transports share. Used by
 * the replica, and by the transports in the packages below.
 */
package dev.weir.cluster.transport;
