/**
 * What it costs to keep messages on disk: Berkeley DB JE in three shapes, weir-queue on top of it,
 * and, in the same run, plain files and other stores.
 *
 * <p>Start at {@link dev.weir.bench.persistence.PersistenceBench}, which lists the scenarios and
 * the programs. A {@code Mechanism} opens {@code MessageLog}s; a {@code ReadBack} checks what comes
 * back from one; a {@code QueueStage} is a queue under test.
 */
package dev.weir.bench.persistence;
