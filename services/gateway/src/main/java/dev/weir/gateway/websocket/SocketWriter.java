package dev.weir.gateway.websocket;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;

/**
 * Writes messages to a socket, large ones in frames that every client takes: the server itself
 * reads larger ones, and would write them.
 */
final class SocketWriter {
  /** The usual limit of clients is 64 KiB. */
  private static final int FRAME_BYTES = 32 << 10;

  /** A character takes up to three bytes in UTF-8, each half of a surrogate pair two. */
  private static final int FRAME_CHARS = FRAME_BYTES / 3;

  private final ServerWebSocket socket;

  SocketWriter(ServerWebSocket socket) {
    this.socket = socket;
  }

  /** Completes when the text is written. */
  Future<Void> text(String text) {
    int start = 0;
    Future<Void> written;
    do {
      int end = Math.min(text.length(), start + FRAME_CHARS);
      // Not every client puts together a character that two frames share.
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      String part = text.substring(start, end);
      boolean last = end == text.length();
      written =
          write(
              start == 0
                  ? WebSocketFrame.textFrame(part, last)
                  : WebSocketFrame.continuationFrame(Buffer.buffer(part), last));
      start = end;
    } while (start < text.length());
    return written;
  }

  /** Completes when the bytes are written. */
  Future<Void> binary(Buffer bytes) {
    int start = 0;
    Future<Void> written;
    do {
      int end = Math.min(bytes.length(), start + FRAME_BYTES);
      Buffer part = bytes.slice(start, end);
      boolean last = end == bytes.length();
      written =
          write(
              start == 0
                  ? WebSocketFrame.binaryFrame(part, last)
                  : WebSocketFrame.continuationFrame(part, last));
      start = end;
    } while (start < bytes.length());
    return written;
  }

  private Future<Void> write(WebSocketFrame frame) {
    return socket.isClosed() ? Future.succeededFuture() : socket.writeFrame(frame);
  }
}
