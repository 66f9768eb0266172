package dev.weir.state;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.UNREADABLE;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;

/**
 * Checks, decodes and encodes documents. All failures are {@code BAD_REQUEST} where not said
 * otherwise.
 */
final class Formats {
  private static final JsonFactory JSON = new JsonFactory();

  /** A text of this length may be longer than the decoder takes. */
  private static final int LONG_BYTES = 10 << 20;

  /** No number with fewer characters and without an exponent is infinite. */
  private static final int FINITE_CHARS = 300;

  private Formats() {}

  /** Checks that bytes are one object, without making it. */
  static void check(byte[] bytes, DocumentFormat format) {
    if (format == DocumentFormat.CBOR) {
      CborReader.check(bytes);
    } else if (bytes.length > LONG_BYTES) {
      decode(bytes, format);
    } else {
      checkJson(bytes);
    }
  }

  private static void checkJson(byte[] bytes) {
    try (JsonParser parser = JSON.createParser(bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw bad("the body is not a JSON object", null);
      }
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          throw bad("the body is not a JSON object: it ends too early", null);
        } else if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token.isNumeric()) {
          checkNumber(parser);
        }
      }
      if (parser.nextToken() != null) {
        throw bad("the body is not a JSON object: there is something behind it", null);
      }
    } catch (IOException e) {
      throw bad("the body is not a JSON object", e);
    }
  }

  private static void checkNumber(JsonParser parser) throws IOException {
    int chars = parser.getTextLength();
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_FLOAT
        && (chars > FINITE_CHARS || hasExponent(parser, chars))
        && !Double.isFinite(parser.getDoubleValue())) {
      throw bad("the body has a number that is too large", null);
    }
  }

  private static boolean hasExponent(JsonParser parser, int chars) throws IOException {
    char[] text = parser.getTextCharacters();
    int start = parser.getTextOffset();
    for (int i = start; i < start + chars; i++) {
      if (text[i] == 'e' || text[i] == 'E') {
        return true;
      }
    }
    return false;
  }

  /** The object that bytes are. */
  static JsonObject decode(byte[] bytes, DocumentFormat format) {
    if (format == DocumentFormat.CBOR) {
      return CborReader.read(bytes);
    }
    try {
      return new JsonObject(Buffer.buffer(bytes));
    } catch (DecodeException e) {
      throw bad("the body is not a JSON object", e);
    }
  }

  /** The object that stored bytes are; fails with {@code UNREADABLE}. */
  static JsonObject decodeStored(byte[] content, DocumentFormat format) {
    try {
      return decode(content, format);
    } catch (DocumentException e) {
      throw new DocumentException(
          UNREADABLE, "the stored document cannot be decoded: " + e.getMessage(), e);
    }
  }

  /** An object as JSON. */
  static byte[] encode(JsonObject object) {
    return encode(object, DocumentFormat.JSON);
  }

  /** An object in a format. */
  static byte[] encode(JsonObject object, DocumentFormat format) {
    try {
      return format == DocumentFormat.JSON ? JsonWriter.encode(object) : CborWriter.encode(object);
    } catch (RuntimeException | StackOverflowError e) {
      throw bad("the content cannot be written as " + format, e);
    }
  }

  static DocumentException bad(String message, Throwable cause) {
    return new DocumentException(BAD_REQUEST, message, cause);
  }
}
