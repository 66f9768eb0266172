/**
 * The spans of messages on their way to the primary of a group, and from there to other services.
 */
package dev.weir.group.trace;
