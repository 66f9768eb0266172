package dev.weir.cluster.client;

import dev.weir.cluster.MessageSink;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ReplySink;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server side of {@link ClientFrames}: reads requests, offers them to groups, sends replies.
 */
public final class TcpClientEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(TcpClientEndpoint.class);
  private static final int MAX_HELLO_BYTES = 256;

  private final Vertx vertx;
  private final Map<String, Served> groups = new ConcurrentHashMap<>();
  private NetServer server;

  public TcpClientEndpoint(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A group, and the connection over which each of its clients sent a request last. */
  private static final class Served implements ReplySink {
    private final Map<Long, Connection> clients = new ConcurrentHashMap<>();

    /** Null until {@link #serve}. */
    private volatile MessageSink group;

    @Override
    public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      answer(ClientFrames.REPLY, clientId, sequence, buffer, offset, length);
    }

    @Override
    public void onRejected(
        long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      answer(OfferResult.REJECTED.ordinal(), clientId, sequence, buffer, offset, length);
    }

    private void answer(
        int kind, long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      Connection connection = clients.get(clientId);
      if (connection != null) {
        Buffer answer = ClientFrames.answer(kind, clientId, sequence, length);
        byte[] body = new byte[length];
        buffer.get(offset, body);
        connection.answers.add(answer.appendBytes(body));
      }
    }
  }

  public ReplySink replies(String group) {
    return groups.computeIfAbsent(group, name -> new Served());
  }

  public void serve(MessageSink group) {
    ((Served) replies(group.options().getName())).group = group;
  }

  public Future<Integer> listen(String host, int port) {
    server =
        vertx
            .createNetServer(new NetServerOptions().setTcpNoDelay(true))
            .connectHandler(socket -> new Connection(socket).start());
    return server.listen(port, host).map(NetServer::actualPort);
  }

  public Future<Void> close() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  /** The connection of one client, or of several that share it. */
  private final class Connection implements ClientFrames.Sink {
    private final NetSocket socket;
    private final List<Buffer> arrived = new ArrayList<>();
    private final TurnBatch<Buffer> answers;

    /** Null until the client has named its group. */
    private Served served;

    private int maxMessageBytes;
    private boolean refused;

    Connection(NetSocket socket) {
      this.socket = socket;
      this.answers = new TurnBatch<>(vertx.getOrCreateContext(), this::write);
    }

    void start() {
      var frames = ClientFrames.parser(this);
      socket.handler(
          buffer -> {
            frames.handle(buffer);
            offerArrived();
          });
      socket.exceptionHandler(
          e -> LOG.debug("client {}: {}", socket.remoteAddress(), e.toString()));
      socket.closeHandler(
          v -> groups.values().forEach(group -> group.clients.values().removeIf(this::equals)));
    }

    @Override
    public int minBytes() {
      return served == null ? 2 * Integer.BYTES : ClientFrames.REQUEST_HEADER_BYTES;
    }

    @Override
    public int maxBytes() {
      return served == null ? MAX_HELLO_BYTES : ClientFrames.REQUEST_HEADER_BYTES + maxMessageBytes;
    }

    @Override
    public void onInvalid(int bytes) {
      refuse("sent a frame of " + bytes + " bytes, allowed is up to " + maxBytes());
    }

    @Override
    public void onFrame(Buffer frame) {
      if (refused) {
        return;
      }
      if (served == null) {
        onHello(frame);
      } else {
        arrived.add(frame);
      }
    }

    private void refuse(String why) {
      refused = true;
      LOG.warn("client {} is disconnected: it {}", socket.remoteAddress(), why);
      socket.close();
    }

    private void onHello(Buffer hello) {
      String name = hello.getString(2 * Integer.BYTES, hello.length());
      Served wanted = groups.get(name);
      if (hello.getInt(0) != ClientFrames.MAGIC
          || hello.getInt(Integer.BYTES) != ClientFrames.VERSION) {
        refuse("speaks another protocol");
      } else if (wanted == null || wanted.group == null) {
        refuse("asks for the group " + name + ", which does not run here");
      } else {
        maxMessageBytes = wanted.group.options().getMaxMessageBytes();
        served = wanted;
      }
    }

    /** Offers all requests that arrived in this turn in one task of a worker thread. */
    private void offerArrived() {
      if (!arrived.isEmpty()) {
        List<Buffer> requests = new ArrayList<>(arrived);
        arrived.clear();
        vertx.executeBlocking(
            () -> {
              requests.forEach(this::offer);
              served.group.flush();
              return null;
            });
      }
    }

    private void offer(Buffer request) {
      long clientId = request.getLong(0);
      long sequence = request.getLong(Long.BYTES);
      served.clients.put(clientId, this);
      ByteBuffer body = ByteBuffer.wrap(request.getBytes());
      int header = ClientFrames.REQUEST_HEADER_BYTES;
      OfferResult result =
          served.group.offer(clientId, sequence, body, header, request.length() - header);
      if (result != OfferResult.ACCEPTED && result != OfferResult.ANSWERED) {
        answers.add(ClientFrames.answer(result.ordinal(), clientId, sequence, 0));
      }
    }

    private void write(List<Buffer> ready) {
      Buffer all = Buffer.buffer();
      ready.forEach(all::appendBuffer);
      socket.write(all);
    }
  }
}
