package dev.weir.state;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * A version of a document. It never changes: the document is kept as bytes, and each call of {@link
 * #json()} decodes them anew, so its result belongs to the caller.
 */
public final class Document {
  private final String key;
  private final long version;
  private final long expiresAtMs;
  private final byte[] json;

  /**
   * @param json an encoded JSON object, not copied: nobody may change it any more
   */
  public Document(String key, long version, long expiresAtMs, byte[] json) {
    this.key = Checks.notNull("key", key);
    this.version = version;
    this.expiresAtMs = expiresAtMs;
    this.json = Checks.notNull("json", json);
  }

  public String key() {
    return key;
  }

  /**
   * The number of this version. Each change of a document gives it the next number. The first one
   * is 1, or more than the versions that were deleted in the factory; so a number never comes again
   * for a key.
   */
  public long version() {
    return version;
  }

  /** When the document expires, in milliseconds since 1970; 0 for never. */
  public long expiresAtMs() {
    return expiresAtMs;
  }

  /** The document, decoded for the caller. */
  public JsonObject json() {
    return new JsonObject(Buffer.buffer(json));
  }

  /** The document as JSON, copied for the caller. */
  public Buffer buffer() {
    return Buffer.buffer(json);
  }

  /** The length of the document as JSON. */
  public int bytes() {
    return json.length;
  }

  @Override
  public String toString() {
    return key + " version " + version + ", " + json.length + " bytes";
  }
}
