package dev.weir.state.change;

import dev.weir.state.Document;

/**
 * The state of one key: a version of a document, or none. It never changes.
 *
 * @param version 0 if there is no document
 * @param expiresAtMs 0 for never
 * @param json the encoded document; null if there is none
 */
public record State(long version, long expiresAtMs, byte[] json) {
  /** No document. */
  public static final State ABSENT = new State(0, 0, null);

  public boolean isAbsent() {
    return json == null;
  }

  /** Whether there is a document that has not expired. */
  public boolean isLive(long nowMs) {
    return json != null && (expiresAtMs == 0 || nowMs < expiresAtMs);
  }

  /** The document of a state that is not absent. */
  public Document document(String key) {
    return new Document(key, version, expiresAtMs, json);
  }

  /** The length of the encoded document; 0 if there is none. */
  public int bytes() {
    return json == null ? 0 : json.length;
  }

  /** By identity: two states of one content may be two versions. */
  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
