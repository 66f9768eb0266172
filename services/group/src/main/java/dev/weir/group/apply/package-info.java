/** Applies requests to the state of a group: on its primary. */
package dev.weir.group.apply;
