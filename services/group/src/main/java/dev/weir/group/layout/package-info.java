/** How a service is split into shards, and the file that says how it was split before. */
package dev.weir.group.layout;
