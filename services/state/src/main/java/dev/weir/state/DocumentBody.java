package dev.weir.state;

import dev.weir.options.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/**
 * The content of a document, encoded and checked once. It never changes, so it is passed as it is:
 * a store keeps these bytes, and one body may be put under many keys.
 */
public final class DocumentBody {
  private final DocumentFormat format;
  private final byte[] bytes;

  private DocumentBody(DocumentFormat format, byte[] bytes) {
    this.format = format;
    this.bytes = bytes;
  }

  /**
   * Encodes an object as JSON; it may be changed afterwards.
   *
   * @param object not null
   * @throws DocumentException {@code BAD_REQUEST} if something in it has no form in JSON
   */
  public static DocumentBody of(JsonObject object) {
    return new DocumentBody(DocumentFormat.JSON, Formats.encode(Checks.notNull("object", object)));
  }

  /**
   * Encodes an object; it may be changed afterwards.
   *
   * @param object not null
   * @param format not null
   * @throws DocumentException {@code BAD_REQUEST} if something in it has no form there
   */
  public static DocumentBody of(JsonObject object, DocumentFormat format) {
    return new DocumentBody(
        Checks.notNull("format", format), Formats.encode(Checks.notNull("object", object), format));
  }

  /**
   * A body that is encoded already. It is checked, and copied.
   *
   * @param encoded not null
   * @param format not null
   * @throws DocumentException {@code BAD_REQUEST} if it is not one object in this format
   */
  public static DocumentBody parse(Buffer encoded, DocumentFormat format) {
    byte[] bytes = Checks.notNull("encoded", encoded).getBytes();
    Formats.check(bytes, Checks.notNull("format", format));
    return new DocumentBody(format, bytes);
  }

  public DocumentFormat format() {
    return format;
  }

  /** The number of encoded bytes. */
  public int bytes() {
    return bytes.length;
  }

  /** The object, decoded for the caller. */
  public JsonObject json() {
    return Formats.decode(bytes, format);
  }

  /** The encoded body, copied for the caller. */
  public Buffer buffer() {
    return Buffer.buffer(bytes);
  }

  /** The encoded body itself, which nobody may change. */
  public byte[] encoded() {
    return bytes;
  }
}
