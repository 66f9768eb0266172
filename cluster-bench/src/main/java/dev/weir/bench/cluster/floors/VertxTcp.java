package dev.weir.bench.cluster.floors;

import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.core.parsetools.RecordParser;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A client of {@link VertxRelayMain} that is one of Vert.x: any thread sends, and the event loop
 * takes the replies.
 */
final class VertxTcp implements RelayClient {
  /** More messages than an open loop has without a reply. */
  private static final int MAX_OPEN = 1 << 16;

  private final Vertx vertx = Vertx.vertx();
  private final EchoMessages messages;
  private final AtomicLongArray startNs = new AtomicLongArray(MAX_OPEN);

  /** Held, because a client that nobody holds is closed. */
  private final NetClient sockets = vertx.createNetClient();

  private final NetSocket socket;
  private volatile ReplySink sink;

  VertxTcp(InetSocketAddress address, EchoMessages messages) {
    this.messages = messages;
    this.socket =
        sockets
            .connect(address.getPort(), RelayMain.HOST)
            .onSuccess(
                connected ->
                    connected.handler(RecordParser.newFixed(messages.maxBytes(), this::onReply)))
            .toCompletionStage()
            .toCompletableFuture()
            .join();
  }

  @Override
  public void send(long operation, long startTimeNs, ReplySink newSink) {
    sink = newSink;
    startNs.set((int) operation & (MAX_OPEN - 1), startTimeNs);
    byte[] bytes = new byte[messages.maxBytes()];
    messages.encode(operation, ByteBuffer.wrap(bytes), 0);
    socket.write(Buffer.buffer(bytes));
  }

  private void onReply(Buffer bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes.getBytes());
    long operation = in.getLong(0);
    boolean ok = messages.isReply(operation, in, 0, in.capacity());
    long start = startNs.get((int) operation & (MAX_OPEN - 1));
    sink.onReply(operation, start, ok ? Reply.OK : Reply.CORRUPT);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
