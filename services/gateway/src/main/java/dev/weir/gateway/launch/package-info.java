/**
 * Runs a service with its gateway as a program: options from a file, the environment, system
 * properties and flags; a cluster if asked; an orderly stop.
 *
 * <p>Start at {@link dev.weir.gateway.launch.Launcher}. What is used here beyond the gateway itself
 * are optional dependencies of it: the Vert.x application launcher, picocli, vertx-hazelcast and
 * weir-cluster.
 */
package dev.weir.gateway.launch;
