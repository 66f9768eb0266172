/**
 * Replicated groups as services of the event bus: a handler that is written once, the same jar on
 * each member, and an ordinary address by which any code of the cluster reaches the primary.
 *
 * <p>A user implements {@link dev.weir.group.GroupProcessor} and calls {@link
 * dev.weir.group.Groups#serveGroup}.
 */
package dev.weir.group;
