package dev.weir.bench.eventbus.http;

import io.vertx.core.buffer.Buffer;

/**
 * The messages of the gateway's WebSocket protocol. Text: {@code {"id":7,"body":…}}. Binary: the
 * length of a head (2 bytes), the head {@code {"id":7}}, then the body. They are read by their
 * fixed shape and not parsed, so that client and bare server cost little.
 */
final class WebSocketMessages {
  private static final String HEAD = "{\"id\":";
  private static final String BODY = ",\"body\":";
  private static final String END = "}";
  private static final int LENGTH_BYTES = 2;

  private WebSocketMessages() {}

  /**
   * A message that was read.
   *
   * @param id -1 if it is of another shape, a failure for example
   */
  record Frame(long id, Buffer body) {}

  static String text(long id, String json) {
    return HEAD + id + BODY + json + END;
  }

  static Buffer binary(long id, Buffer body) {
    byte[] head = (HEAD + id + END).getBytes();
    return Buffer.buffer(LENGTH_BYTES + head.length + body.length())
        .appendUnsignedShort(head.length)
        .appendBytes(head)
        .appendBuffer(body);
  }

  static Frame read(String text) {
    int bodyAt = text.indexOf(BODY);
    if (!text.startsWith(HEAD) || bodyAt < 0 || !text.endsWith(END)) {
      return new Frame(-1, Buffer.buffer(text));
    }
    String body = text.substring(bodyAt + BODY.length(), text.length() - END.length());
    return new Frame(id(text, bodyAt), Buffer.buffer(body));
  }

  static Frame read(Buffer bytes) {
    int bodyAt = LENGTH_BYTES + bytes.getUnsignedShort(0);
    String head = bytes.getString(LENGTH_BYTES, bodyAt);
    return new Frame(id(head, head.length() - END.length()), bytes.slice(bodyAt, bytes.length()));
  }

  private static long id(String text, int end) {
    return Long.parseLong(text, HEAD.length(), end, 10);
  }
}
