/**
 * HTTP in front of the services of a Weir.
 *
 * <p>Start at {@link dev.weir.gateway.Gateway}, which reads as the table of contents; each kind of
 * routes is a class of its own.
 */
package dev.weir.gateway;
