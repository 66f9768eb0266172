package dev.weir.gateway.limits;

import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.ContinuationWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/**
 * Removes the empty frames with which a WebSocket message may begin (RFC 6455, 5.4), so that its
 * first frame has bytes. Vert.x loses a message whose first frame is empty. On the event loop of
 * the connection.
 */
final class FirstFrames {
  /** True after empty frames of a message that has had no byte yet. */
  private boolean begun;

  /** Whether that message is text. */
  private boolean text;

  /**
   * What to pass on in place of a frame.
   *
   * @return null, and the frame is released, if it is an empty one at the beginning of a message
   */
  WebSocketFrame passed(WebSocketFrame frame) {
    boolean first = frame instanceof TextWebSocketFrame || frame instanceof BinaryWebSocketFrame;
    boolean next = begun && frame instanceof ContinuationWebSocketFrame;
    if (!first && !next) {
      return frame;
    }
    if (first) {
      text = frame instanceof TextWebSocketFrame;
    }
    begun = !frame.isFinalFragment() && !frame.content().isReadable();
    if (begun) {
      frame.release();
      return null;
    }
    return first ? frame : withType(frame);
  }

  private WebSocketFrame withType(WebSocketFrame next) {
    return text
        ? new TextWebSocketFrame(next.isFinalFragment(), next.rsv(), next.content())
        : new BinaryWebSocketFrame(next.isFinalFragment(), next.rsv(), next.content());
  }
}
