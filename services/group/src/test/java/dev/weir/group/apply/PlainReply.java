package dev.weir.group.apply;

import dev.weir.cluster.Outbound;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/** Keeps the reply to one message; empty if there is none. */
public final class PlainReply implements Outbound {
  private ByteBuffer room;
  private Buffer reply = Buffer.buffer();

  @Override
  public ByteBuffer claim(int maxBytes) {
    room = ByteBuffer.allocate(maxBytes);
    return room;
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public void commit(int bytes) {
    reply = Buffer.buffer(room.array()).getBuffer(0, bytes);
  }

  public Buffer reply() {
    return reply;
  }
}
