package dev.weir.state.change;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.DocumentException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The content of a document, as a JSON object and encoded; each is made of the other on demand. */
public final class Content {
  private byte[] json;
  private JsonObject object;

  private Content(byte[] json, JsonObject object) {
    this.json = json;
    this.object = object;
  }

  /**
   * @param json an encoded JSON object; null is refused
   */
  static Content of(byte[] json) {
    if (json == null) {
      throw new DocumentException(BAD_REQUEST, "the body is not a JSON object");
    }
    return new Content(json, null);
  }

  static Content of(JsonObject object) {
    return new Content(null, object);
  }

  JsonObject object() {
    if (object == null) {
      try {
        object = new JsonObject(Buffer.buffer(json));
      } catch (DecodeException e) {
        throw new DocumentException(BAD_REQUEST, "the body is not a JSON object", e);
      }
    }
    return object;
  }

  byte[] json() {
    if (json == null) {
      json = encode(object);
    }
    return json;
  }

  /**
   * Encodes a JSON object.
   *
   * @throws DocumentException {@code BAD_REQUEST} if something in it has no form in JSON
   */
  public static byte[] encode(JsonObject object) {
    try {
      return object.toBuffer().getBytes();
    } catch (RuntimeException | StackOverflowError e) {
      throw new DocumentException(BAD_REQUEST, "the content cannot be written as JSON", e);
    }
  }

  /** Encodes a JSON array. */
  public static byte[] encode(JsonArray array) {
    try {
      return array.toBuffer().getBytes();
    } catch (RuntimeException | StackOverflowError e) {
      throw new DocumentException(BAD_REQUEST, "the content cannot be written as JSON", e);
    }
  }
}
