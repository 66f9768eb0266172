package dev.weir.state;

/**
 * What a store of documents does and has done since it was opened.
 *
 * @param residentBytes heap of the documents in memory that are on disk too, estimated
 * @param residentLimitBytes above it documents leave the memory
 * @param memoryBytes heap of the documents that are only in memory, estimated
 * @param memoryLimitBytes above it they are refused
 * @param inFlightBytes heap of the operations under way, estimated
 * @param inFlightLimitBytes above it operations are refused
 * @param evictions documents that have left the memory
 * @param commits transactions
 * @param changes changes in these
 * @param streams streams of changes that are open, and requests that wait for changes
 * @param fault why nothing can be written at the moment; null if all is well
 */
public record DocumentsStats(
    long residentBytes,
    long residentLimitBytes,
    long memoryBytes,
    long memoryLimitBytes,
    long inFlightBytes,
    long inFlightLimitBytes,
    long evictions,
    long commits,
    long changes,
    long streams,
    DocumentFailure fault) {
  /** Without streams. */
  public DocumentsStats(
      long residentBytes,
      long residentLimitBytes,
      long memoryBytes,
      long memoryLimitBytes,
      long inFlightBytes,
      long inFlightLimitBytes,
      long evictions,
      long commits,
      long changes,
      DocumentFailure fault) {
    this(
        residentBytes,
        residentLimitBytes,
        memoryBytes,
        memoryLimitBytes,
        inFlightBytes,
        inFlightLimitBytes,
        evictions,
        commits,
        changes,
        0,
        fault);
  }
}
