/** Chronicle Queue as a store of messages: the only package that names net.openhft.chronicle. */
package dev.weir.bench.persistence.store.chronicle;
