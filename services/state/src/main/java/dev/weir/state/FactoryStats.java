package dev.weir.state;

/**
 * What a factory has done since it was opened. The figures are read while it works, so they are not
 * one consistent moment.
 *
 * @param operations operations that have ended, reads included
 * @param failed of these, those that failed
 * @param reads reads of documents
 * @param loads how often a document had to be read from JE, because it was not in memory
 * @param residentDocuments keys in memory now
 */
public record FactoryStats(
    long operations, long failed, long reads, long loads, long residentDocuments) {}
