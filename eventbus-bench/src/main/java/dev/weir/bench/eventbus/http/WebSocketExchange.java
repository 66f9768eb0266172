package dev.weir.bench.eventbus.http;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Messages of a WebSocket, in bytes, all with the same id: it is free again with the answer. */
final class WebSocketExchange extends OutsideExchange {
  private static final long ID = 7;
  private static final byte[] ANSWER = WebSocketMessages.text(ID, "true").getBytes();
  private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

  /** RFC 6455, 5.2: of a whole message. */
  private static final int FINAL = 0x80;

  private static final int TEXT = 1;
  private static final int BINARY = 2;
  private static final int MASKED = 0x80;
  private static final int SHORT_BYTES = 125;
  private static final int TWO_BYTE_LENGTH = 126;
  private static final byte[] MASK = {0x12, 0x34, 0x56, 0x78};

  private WebSocketExchange(SocketChannel channel, byte[] frame) {
    super(channel, frame);
  }

  /** Makes a WebSocket of a connection; blocks. */
  static WebSocketExchange open(SocketChannel channel, String path, Buffer body)
      throws IOException {
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            + KEY
            + "\r\n\r\n";
    channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
    StringBuilder answer = new StringBuilder();
    ByteBuffer one = ByteBuffer.allocate(1);
    while (answer.indexOf("\r\n\r\n") < 0 && channel.read(one.clear()) > 0) {
      answer.append((char) one.get(0));
    }
    if (!answer.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException("no WebSocket: " + answer);
    }
    return new WebSocketExchange(channel, frame(WebSocketMessages.binary(ID, body)));
  }

  private static byte[] frame(Buffer message) {
    Buffer frame = Buffer.buffer().appendUnsignedByte((short) (FINAL | BINARY));
    if (message.length() <= SHORT_BYTES) {
      frame.appendUnsignedByte((short) (MASKED | message.length()));
    } else {
      frame.appendUnsignedByte((short) (MASKED | TWO_BYTE_LENGTH));
      frame.appendUnsignedShort(message.length());
    }
    frame.appendBytes(MASK);
    for (int i = 0; i < message.length(); i++) {
      frame.appendByte((byte) (message.getByte(i) ^ MASK[i % MASK.length]));
    }
    return frame.getBytes();
  }

  /** The answer is short. */
  @Override
  boolean isComplete() {
    return answer.position() >= 2 && answer.position() >= 2 + (answer.get(1) & 0x7f);
  }

  @Override
  String problem() {
    boolean good =
        (answer.get(0) & 0xff) == (FINAL | TEXT)
            && answer.get(1) == ANSWER.length
            && answer.position() == 2 + ANSWER.length
            && has(2, ANSWER);
    return good ? null : new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
  }
}
