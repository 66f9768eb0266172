/**
 * What it costs to keep messages on disk: Berkeley DB JE in three shapes, weir-queue on top of it,
 * and, in the same run, plain files and other stores.
 *
 * <p>{@link dev.weir.bench.persistence.PersistenceBench} lists the scenarios and the programs.
 */
package dev.weir.bench.persistence;
