/**
 * Carries frames between members over TCP connections of the module's own. Used by the entry
 * classes of the root package.
 */
package dev.weir.cluster.transport.tcp;
