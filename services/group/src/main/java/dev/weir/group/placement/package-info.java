/** Which shard has a key, and which members hold a shard; pure. */
package dev.weir.group.placement;
