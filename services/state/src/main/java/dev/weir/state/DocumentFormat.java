package dev.weir.state;

import io.vertx.core.json.JsonObject;

/** How a document is encoded. It is kept in the form in which it came. */
public enum DocumentFormat {
  /** JSON, in UTF-8 (RFC 8259). */
  JSON("application/json"),
  /**
   * CBOR (RFC 8949), binary: maps whose keys are texts, arrays, texts of known length, numbers,
   * truth values and null; no byte strings and no tags.
   */
  CBOR("application/cbor");

  private final String mediaType;

  DocumentFormat(String mediaType) {
    this.mediaType = mediaType;
  }

  /** The media type, without parameters. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * Checks that bytes are one object in this format, without making it.
   *
   * @throws DocumentException {@code BAD_REQUEST} if they are not
   */
  public void check(byte[] encoded) {
    Formats.check(encoded, this);
  }

  /**
   * The object that bytes are.
   *
   * @throws DocumentException {@code BAD_REQUEST} if they are none
   */
  public JsonObject decode(byte[] encoded) {
    return Formats.decode(encoded, this);
  }

  /**
   * An object in this format.
   *
   * @throws DocumentException {@code BAD_REQUEST} if something in it has no form there
   */
  public byte[] encode(JsonObject object) {
    return Formats.encode(object, this);
  }
}
