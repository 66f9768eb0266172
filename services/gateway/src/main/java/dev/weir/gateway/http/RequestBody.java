package dev.weir.gateway.http;

import dev.weir.flow.NoCopyBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The body of a message from the body of a request, by its media type. */
public final class RequestBody {
  private static final String JSON = "application/json";
  private static final String OCTETS = "application/octet-stream";
  private static final String TEXT = "text/plain";

  private RequestBody() {}

  /**
   * @param contentType the header as it came, or null: then it is bytes
   * @param bytes nobody else changes it any more
   * @return null for no body
   * @throws ProblemException 400 for JSON that is none, 415 for another type
   */
  public static Object decode(String contentType, Buffer bytes) {
    if (contentType == null || contentType.startsWith(OCTETS)) {
      return bytes.length() == 0 ? null : NoCopyBody.of(bytes);
    }
    if (contentType.equals(JSON)) {
      return json(bytes);
    }
    return other(contentType, bytes);
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

  private static Object other(String contentType, Buffer bytes) {
    int end = contentType.indexOf(';');
    String type =
        (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
    if (type.equals(JSON) || type.startsWith("application/") && type.endsWith("+json")) {
      return json(bytes);
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

  private static Object json(Buffer bytes) {
    Object value;
    try {
      value = Json.decodeValue(bytes);
    } catch (DecodeException e) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "the body is not JSON");
    }
    if (value instanceof BigInteger) {
      // The event bus has no codec for it.
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "a body that is a whole number has to fit into 64 bits");
    }
    return NoCopyBody.of(value);
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
