package dev.weir.gateway.http;

import com.fasterxml.jackson.core.JsonParser;
import dev.weir.flow.NoCopyBody;
import dev.weir.flow.UnreadJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.jackson.JacksonCodec;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The body of a message from the body of a request, by its media type. */
public final class RequestBody {
  private static final String JSON = "application/json";
  private static final String OCTETS = "application/octet-stream";
  private static final String TEXT = "text/plain";

  /** What is done with the text of an object or an array of JSON. */
  public enum JsonText {
    /** It is parsed, for handlers that take objects. */
    PARSED,
    /** It is parsed when somebody asks for a value; whether it is JSON is checked before. */
    CHECKED,
    /** The same without the check: whoever maps it to a class refuses it. */
    UNCHECKED
  }

  private RequestBody() {}

  /**
   * @param contentType the header as it came, or null: then it is bytes
   * @param bytes nobody else changes it any more
   * @return null for no body
   * @throws ProblemException 400 for JSON that is none, 415 for another type
   */
  public static Object decode(String contentType, Buffer bytes, JsonText text) {
    if (contentType == null || contentType.startsWith(OCTETS)) {
      return bytes.length() == 0 ? null : NoCopyBody.of(bytes);
    }
    if (contentType.equals(JSON)) {
      return json(bytes, text);
    }
    return other(contentType, bytes, text);
  }

  /** The bytes that {@link #decode} makes of the heap besides those it gets; an estimate. */
  public static long decodedBytes(String contentType, Buffer bytes) {
    if (contentType == null || contentType.startsWith(OCTETS)) {
      return 0;
    }
    return contentType.toLowerCase(Locale.ROOT).contains("json")
        ? JsonSize.heapBytes(bytes.length(), bytes::getByte)
        : (long) Character.BYTES * bytes.length();
  }

  private static Object other(String contentType, Buffer bytes, JsonText text) {
    int end = contentType.indexOf(';');
    String type =
        (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    if (type.equals(JSON) || type.startsWith("application/") && type.endsWith("+json")) {
      return json(bytes, text);
    }
    if (type.equals(TEXT)) {
      return bytes.toString(charset(contentType));
    }
    if (type.equals(OCTETS)) {
      return bytes.length() == 0 ? null : NoCopyBody.of(bytes);
    }
    throw new ProblemException(
        ProblemType.UNSUPPORTED_MEDIA_TYPE, "allowed are " + JSON + ", " + TEXT + " and " + OCTETS);
  }

  private static Object json(Buffer bytes, JsonText text) {
    Object unread = text == JsonText.PARSED ? null : UnreadJson.of(bytes);
    if (unread != null) {
      if (text == JsonText.CHECKED) {
        check(bytes);
      }
      return unread;
    }
    Object value;
    try {
      value = Json.decodeValue(bytes);
    } catch (DecodeException e) {
      throw noJson();
    }
    if (value instanceof BigInteger) {
      // The event bus has no codec for it.
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "a body that is a whole number has to fit into 64 bits");
    }
    return NoCopyBody.of(value);
  }

  /** Reads all tokens and keeps none. */
  private static void check(Buffer bytes) {
    try (JsonParser parser = JacksonCodec.createParser(bytes)) {
      parser.nextToken();
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw noJson();
      }
    } catch (IOException e) {
      throw noJson();
    }
  }

  private static ProblemException noJson() {
    return new ProblemException(ProblemType.BAD_REQUEST, "the body is not JSON");
  }

  private static Charset charset(String contentType) {
    int at = contentType.toLowerCase(Locale.ROOT).indexOf("charset=");
    if (at < 0) {
      return StandardCharsets.UTF_8;
    }
    String name = contentType.substring(at + "charset=".length());
    int end = name.indexOf(';');
    name = (end < 0 ? name : name.substring(0, end)).replace("\"", "").trim();
    try {
      return Charset.forName(name);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(
          ProblemType.UNSUPPORTED_MEDIA_TYPE, "the charset is not known here");
    }
  }
}
