package dev.weir.gateway.websocket;

import dev.weir.flow.NoCopyBody;
import dev.weir.flow.ReplyStream;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import io.vertx.core.parsetools.JsonParser;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A message on a socket. As text it is a JSON object with the body in {@code body}; as bytes it is
 * the length of such an object without a body, two bytes big-endian, the object in UTF-8, and the
 * body.
 */
public final class SocketFrame {
  private static final int LENGTH_BYTES = 2;

  /** Of a message that has an id alone; nobody changes it. */
  private static final JsonObject NO_MORE = new JsonObject();

  private SocketFrame() {}

  /**
   * A message of a client.
   *
   * @param id as it came; null if there is none
   * @param head what it has besides the body, perhaps without the id
   * @param body null for none
   */
  record Incoming(Object id, JsonObject head, Object body) {}

  /**
   * @throws ProblemException 400
   */
  static Incoming read(String text) {
    JsonObject head = object(() -> new JsonObject(text));
    return new Incoming(head.getValue("id"), head, NoCopyBody.of(head.getValue("body")));
  }

  /**
   * @param bytes nobody else changes it any more
   * @throws ProblemException 400
   */
  static Incoming read(Buffer bytes) {
    int end = bytes.length() < LENGTH_BYTES ? 0 : LENGTH_BYTES + bytes.getUnsignedShort(0);
    if (end < LENGTH_BYTES || end > bytes.length()) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "the message is shorter than its first two bytes say");
    }
    Buffer rest = bytes.slice(end, bytes.length());
    Object body = rest.length() == 0 ? null : NoCopyBody.of(rest);
    Object id = PlainHead.id(bytes, LENGTH_BYTES, end);
    if (id != null) {
      return new Incoming(id, NO_MORE, body);
    }
    JsonObject head = object(() -> new JsonObject(bytes.slice(LENGTH_BYTES, end)));
    return new Incoming(head.getValue("id"), head, body);
  }

  /** The id of a message that is not read, found without making its body; null for none. */
  static Object id(String text) {
    return id(Buffer.buffer(text), 0);
  }

  /** As {@link #id(String)}, of a message in bytes. */
  static Object id(Buffer bytes) {
    int end = bytes.length() < LENGTH_BYTES ? 0 : LENGTH_BYTES + bytes.getUnsignedShort(0);
    return end > bytes.length() ? null : id(bytes.slice(0, end), LENGTH_BYTES);
  }

  private static Object id(Buffer bytes, int start) {
    int[] depth = new int[1];
    Object[] id = new Object[1];
    JsonParser parser = JsonParser.newParser();
    parser.handler(
        event -> {
          switch (event.type()) {
            case START_OBJECT, START_ARRAY -> depth[0]++;
            case END_OBJECT, END_ARRAY -> depth[0]--;
            default -> {
              if (depth[0] == 1 && "id".equals(event.fieldName()) && isId(event.value())) {
                id[0] = event.value();
              }
            }
          }
        });
    try {
      parser.write(bytes.slice(start, bytes.length()));
      parser.end();
    } catch (DecodeException e) {
      return id[0];
    }
    return id[0];
  }

  /** Whether a value may be the id of a message. */
  static boolean isId(Object value) {
    return value instanceof String || value instanceof Integer || value instanceof Long;
  }

  private static JsonObject object(Supplier<JsonObject> parsed) {
    try {
      return parsed.get();
    } catch (DecodeException | ClassCastException e) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "the message is not a JSON object");
    }
  }

  /** True if the body goes as bytes. */
  static boolean isBinary(Object body) {
    return body instanceof Buffer || body instanceof byte[];
  }

  /**
   * @param body null, JSON or text
   */
  static String text(JsonObject head, Object body) {
    return (body == null ? head : head.put("body", body)).encode();
  }

  /**
   * @param body a Buffer or a byte array
   */
  public static Buffer binary(JsonObject head, Object body) {
    Buffer text = head.toBuffer();
    return withBody(sized(text.length(), body).appendBuffer(text), body);
  }

  /** A buffer with room for a message, which begins with the length of its head. */
  static Buffer sized(int headBytes, Object body) {
    int bodyBytes = body instanceof Buffer buffer ? buffer.length() : ((byte[]) body).length;
    return Buffer.buffer(LENGTH_BYTES + headBytes + bodyBytes).appendUnsignedShort(headBytes);
  }

  static Buffer withBody(Buffer frame, Object body) {
    return body instanceof Buffer buffer
        ? frame.appendBuffer(buffer)
        : frame.appendBytes((byte[]) body);
  }

  /**
   * Those of a reply, without those of the way it came; null if there are none.
   *
   * @param headers null for none
   */
  static JsonObject headers(MultiMap headers) {
    if (headers == null || headers.isEmpty()) {
      return null;
    }
    JsonObject json = new JsonObject();
    for (Map.Entry<String, String> header : headers) {
      if (!header.getKey().equals(ReplyStream.LAST)) {
        json.put(header.getKey(), header.getValue());
      }
    }
    return json.isEmpty() ? null : json;
  }
}
