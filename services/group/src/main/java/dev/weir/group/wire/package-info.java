/** Requests and replies as the bytes that travel to the primary, and that a group keeps. */
package dev.weir.group.wire;
