package dev.weir.state.change;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFormat;
import io.vertx.core.json.JsonObject;

/** The content of a document, as an object and encoded; each is made of the other on demand. */
final class Content {
  private byte[] bytes;
  private DocumentFormat format;
  private JsonObject object;

  private Content(byte[] bytes, DocumentFormat format, JsonObject object) {
    this.bytes = bytes;
    this.format = format;
    this.object = object;
  }

  /** The body of an operation; none is refused. */
  static Content of(Operation operation) {
    if (operation.body() == null) {
      throw new DocumentException(BAD_REQUEST, "the body is not a JSON object");
    }
    return new Content(operation.body(), operation.format(), null);
  }

  static Content of(JsonObject object) {
    return new Content(null, DocumentFormat.JSON, object);
  }

  JsonObject object() {
    if (object == null) {
      object = format.decode(bytes);
    }
    return object;
  }

  byte[] bytes() {
    if (bytes == null) {
      bytes = format.encode(object);
    }
    return bytes;
  }

  DocumentFormat format() {
    return format;
  }
}
