/** The scenario {@code documents}: a store of documents on three members, driven over the bus. */
package dev.weir.bench.cluster.documents;
