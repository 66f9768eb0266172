package dev.weir.state;

/**
 * What a factory has done since it was opened. The figures are read while it works, so they are not
 * one consistent moment.
 *
 * @param operations operations that have ended, reads included
 * @param failed of these, those that failed
 * @param reads reads of documents
 * @param loads how often a document had to be read from JE, because it was not in memory; -1 if
 *     that is not known, as of a replicated factory
 * @param residentDocuments keys in memory now; -1 if that is not known, as of a replicated factory
 * @param documents those that the factory has, on disk or in memory; after a commit whose end is
 *     not known it may be wrong by the changes of that commit, until the store is opened again
 * @param queries by their outcome
 * @param heapBytes heap of the documents in memory, of their keys and, if they are on no disk, of
 *     their index entries, estimated; of a replicated factory what those of all shards would take
 *     on one member if all were in memory
 */
public record FactoryStats(
    long operations,
    long failed,
    long reads,
    long loads,
    long residentDocuments,
    long documents,
    QueryStats queries,
    long heapBytes) {
  /** Of a factory whose documents are all in memory, and that nobody has queried. */
  public FactoryStats(
      long operations, long failed, long reads, long loads, long residentDocuments) {
    this(
        operations, failed, reads, loads, residentDocuments, residentDocuments, QueryStats.NONE, 0);
  }

  /** Documents that are on disk only; -1 if that is not known, as of a replicated factory. */
  public long pausedDocuments() {
    return residentDocuments < 0 ? -1 : Math.max(0, documents - residentDocuments);
  }
}
