/** Plain files as a store of messages: the floor under every other store. */
package dev.weir.bench.persistence.store.file;
