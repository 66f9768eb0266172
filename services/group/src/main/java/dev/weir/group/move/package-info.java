/** Moves replicas of shards between members while the service runs. */
package dev.weir.group.move;
