package dev.weir.state;

/**
 * A change of a document, as the log of its factory has it.
 *
 * @param position the place in the log; positions grow, with gaps
 * @param timeMs when the change was decided, in milliseconds since 1970, by the clock of the store
 * @param kind what happened
 * @param key the key of the document
 * @param version the version that was written; of a deletion the one that was deleted
 * @param document the document after the change; null unless the kind is {@link Kind#PUT}
 */
public record DocumentChange(
    long position, long timeMs, Kind kind, String key, long version, Document document) {
  /** What happened to the document. */
  public enum Kind {
    /** The document was created or changed, and matches the filter. */
    PUT,
    /**
     * The document was changed and does not match the filter: it may have matched before. Only with
     * a filter.
     */
    OUT,
    /** The document was deleted, by a call or because it had expired. */
    DELETE
  }
}
