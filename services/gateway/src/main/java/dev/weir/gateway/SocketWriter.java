package dev.weir.gateway;

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

  private final ServerWebSocket socket;

  SocketWriter(ServerWebSocket socket) {
    this.socket = socket;
  }

  void text(String text) {
    // No character has more than 3 bytes in UTF-8 for each char.
    int head = Math.min(text.length(), FRAME_BYTES / 3);
    if (head == text.length()) {
      write(WebSocketFrame.textFrame(text, true));
      return;
    }
    if (Character.isHighSurrogate(text.charAt(head - 1))) {
      head--;
    }
    write(WebSocketFrame.textFrame(text.substring(0, head), false));
    goOn(Buffer.buffer(text.substring(head)), 0);
  }

  void binary(Buffer bytes) {
    int head = Math.min(bytes.length(), FRAME_BYTES);
    write(WebSocketFrame.binaryFrame(bytes.slice(0, head), head == bytes.length()));
    if (head < bytes.length()) {
      goOn(bytes, head);
    }
  }

  private void goOn(Buffer bytes, int from) {
    for (int start = from; start < bytes.length(); start += FRAME_BYTES) {
      int end = Math.min(bytes.length(), start + FRAME_BYTES);
      write(WebSocketFrame.continuationFrame(bytes.slice(start, end), end == bytes.length()));
    }
  }

  private void write(WebSocketFrame frame) {
    if (!socket.isClosed()) {
      socket.writeFrame(frame);
    }
  }
}
