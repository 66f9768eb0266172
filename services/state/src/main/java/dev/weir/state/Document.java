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
  private final byte[] content;
  private final DocumentFormat format;

  /**
   * @param json an encoded JSON object, not copied: nobody may change it any more
   */
  public Document(String key, long version, long expiresAtMs, byte[] json) {
    this(key, version, expiresAtMs, json, DocumentFormat.JSON);
  }

  /**
   * @param content an encoded object, not copied: nobody may change it any more
   * @param format of the content
   */
  public Document(
      String key, long version, long expiresAtMs, byte[] content, DocumentFormat format) {
    this.key = Checks.notNull("key", key);
    this.version = version;
    this.expiresAtMs = expiresAtMs;
    this.content = Checks.notNull("content", content);
    this.format = Checks.notNull("format", format);
  }

  public String key() {
    return key;
  }

  /**
   * The number of this version. Each change of a document gives it the next number. The first one
   * is 1, or more than the versions that were deleted in the factory; so a number never comes again
   * for a key. A kill may lose writes that wait for the commit interval of the factory; their
   * numbers come again.
   */
  public long version() {
    return version;
  }

  /** When the document expires, in milliseconds since 1970; 0 for never. */
  public long expiresAtMs() {
    return expiresAtMs;
  }

  /** How the document is encoded. */
  public DocumentFormat format() {
    return format;
  }

  /**
   * The document, decoded for the caller.
   *
   * @throws DocumentException {@code UNREADABLE} if it cannot be decoded
   */
  public JsonObject json() {
    return Formats.decodeStored(content, format);
  }

  /** The document as JSON, copied for the caller. */
  public Buffer buffer() {
    return buffer(DocumentFormat.JSON);
  }

  /**
   * The document in a format, copied for the caller.
   *
   * @throws DocumentException {@code UNREADABLE} if it cannot be decoded; {@code BAD_REQUEST} if
   *     something in it has no form in this format
   */
  public Buffer buffer(DocumentFormat asked) {
    return Buffer.buffer(asked == format ? content : Formats.encode(json(), asked));
  }

  /** The length of the document as it is encoded. */
  public int bytes() {
    return content.length;
  }

  @Override
  public String toString() {
    return key + " version " + version + ", " + content.length + " bytes";
  }
}
