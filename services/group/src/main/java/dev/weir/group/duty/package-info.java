/** What the primary of a group does by itself: timers that are due, messages to other services. */
package dev.weir.group.duty;
