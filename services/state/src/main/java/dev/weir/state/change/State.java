package dev.weir.state.change;

import dev.weir.state.Document;
import dev.weir.state.DocumentFormat;
import io.vertx.core.json.JsonObject;

/**
 * The state of one key: a version of a document, or none. It never changes.
 *
 * @param version 0 if there is no document
 * @param expiresAtMs 0 for never
 * @param content the encoded document; null if there is none
 * @param format of the content
 */
public record State(long version, long expiresAtMs, byte[] content, DocumentFormat format) {
  /** No document. */
  public static final State ABSENT = new State(0, 0, null, DocumentFormat.JSON);

  public boolean isAbsent() {
    return content == null;
  }

  /** Whether there is a document that has not expired. */
  public boolean isLive(long nowMs) {
    return content != null && (expiresAtMs == 0 || nowMs < expiresAtMs);
  }

  /** The document of a state that is not absent. */
  public Document document(String key) {
    return new Document(key, version, expiresAtMs, content, format);
  }

  /** The object that the content is; null if there is none. */
  public JsonObject object() {
    return content == null ? null : document("").json();
  }

  /** The content as JSON, which may be the content itself; of a state that is not absent. */
  public byte[] json() {
    return format == DocumentFormat.JSON ? content : DocumentFormat.JSON.encode(object());
  }

  /** The length of the encoded document; 0 if there is none. */
  public int bytes() {
    return content == null ? 0 : content.length;
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
