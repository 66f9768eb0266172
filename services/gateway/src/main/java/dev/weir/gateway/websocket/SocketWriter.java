package dev.weir.gateway.websocket;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.http.WebSocketFrameType;
import io.vertx.core.http.impl.ws.WebSocketFrameImpl;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * Writes messages to a socket, large ones in frames that every client takes: the server itself
 * reads larger ones, and would write them.
 */
final class SocketWriter {
  /** The usual limit of clients is 64 KiB. */
  private static final int FRAME_BYTES = 32 << 10;

  private final ServerWebSocket socket;

  SocketWriter(ServerWebSocket socket) {
    this.socket = socket;
  }

  void text(String text) {
    write(Buffer.buffer(text), WebSocketFrameType.TEXT);
  }

  void binary(Buffer bytes) {
    write(bytes, WebSocketFrameType.BINARY);
  }

  private void write(Buffer bytes, WebSocketFrameType type) {
    WebSocketFrameType next = type;
    int start = 0;
    do {
      int end = Math.min(bytes.length(), start + FRAME_BYTES);
      // Not every client puts together a character that two frames share.
      while (type == WebSocketFrameType.TEXT && isWithinCharacter(bytes, end)) {
        end--;
      }
      write(frame(next, bytes.slice(start, end), end == bytes.length()));
      next = WebSocketFrameType.CONTINUATION;
      start = end;
    } while (start < bytes.length());
  }

  private static boolean isWithinCharacter(Buffer utf8, int at) {
    return at < utf8.length() && (utf8.getByte(at) & 0xC0) == 0x80;
  }

  /** Vert.x itself makes text frames of strings only. */
  private static WebSocketFrame frame(WebSocketFrameType type, Buffer bytes, boolean last) {
    return new WebSocketFrameImpl(type, ((BufferInternal) bytes).getByteBuf(), last);
  }

  private void write(WebSocketFrame frame) {
    if (!socket.isClosed()) {
      socket.writeFrame(frame);
    }
  }
}
