/** Brings messages of a service to the primary of its group: on each member. */
package dev.weir.group.call;
