/** Measures documents of weir-state that are on disk. */
package dev.weir.bench.persistence.documents;
