package dev.weir.bench.eventbus.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection of an outside client, with one request at a time. */
abstract class OutsideExchange {
  private static final int ANSWER_BYTES = 16 << 10;

  private final SocketChannel channel;
  private final ByteBuffer request;

  /** What has come of the answer. */
  final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);

  OutsideExchange(SocketChannel channel, byte[] request) {
    this.channel = channel;
    this.request = ByteBuffer.allocateDirect(request.length).put(request);
  }

  /** A request is smaller than the buffer of a socket, so one that does not fit is a fault. */
  void send() throws IOException {
    answer.clear();
    request.flip();
    channel.write(request);
    if (request.hasRemaining()) {
      throw new IOException("a request does not fit into the buffer of its socket");
    }
  }

  /** Whether the answer is complete. */
  boolean read() throws IOException {
    if (channel.read(answer) < 0) {
      throw new IOException("the server has closed the connection");
    }
    return isComplete();
  }

  abstract boolean isComplete();

  /** What is wrong with the answer; null if nothing is. */
  abstract String problem();

  /** Whether these bytes are in the answer at this place. */
  final boolean has(int at, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (answer.get(at + i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
