package dev.weir.state;

/**
 * A version of a document that its factory keeps.
 *
 * @param version the number of the version
 * @param timeMs when the version was written, in milliseconds since 1970, by the clock of the store
 */
public record DocumentVersion(long version, long timeMs) {}
