package dev.weir.cluster.client;

import dev.weir.cluster.MessageSink;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ReplySink;
import io.vertx.core.Context;
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
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where {@link ProcessorClient}s reach the groups of this member, over TCP. Requests are taken on
 * worker threads, in the order of their connection; the event loop does not wait for logs.
 */
public final class ClientEndpoint {
  private static final Logger LOG = LoggerFactory.getLogger(ClientEndpoint.class);
  private static final int MAX_HELLO_BYTES = 256;

  private final Vertx vertx;
  private final Map<String, Served> groups = new ConcurrentHashMap<>();
  private NetServer server;

  public ClientEndpoint(Vertx vertx) {
    this.vertx = Objects.requireNonNull(vertx, "vertx");
  }

  /** A group and the connections of its clients. */
  private static final class Served implements ReplySink {
    private final Map<Long, Connection> clients = new ConcurrentHashMap<>();
    private volatile MessageSink group;

    @Override
    public void onReply(long clientId, long sequence, ByteBuffer buffer, int offset, int length) {
      Connection connection = clients.get(clientId);
      if (connection != null) {
        Buffer answer = ClientFrames.answer(ClientFrames.REPLY, clientId, sequence, length);
        byte[] body = new byte[length];
        buffer.get(offset, body);
        connection.answer(answer.appendBytes(body));
      }
    }
  }

  /**
   * The reply sink to start a group with, which brings replies to the clients that are connected.
   *
   * @param group its name
   */
  public ReplySink replies(String group) {
    return groups.computeIfAbsent(Objects.requireNonNull(group, "group"), name -> new Served());
  }

  /** Takes requests for a group that was started with {@link #replies}. */
  public void serve(MessageSink group) {
    ((Served) replies(group.options().getName())).group = group;
  }

  /** Listens; fails if the address is in use. Port 0 takes a free one. */
  public Future<Integer> listen(String host, int port) {
    server =
        vertx
            .createNetServer(new NetServerOptions().setTcpNoDelay(true))
            .connectHandler(socket -> new Connection(socket).start());
    return server.listen(port, host).map(NetServer::actualPort);
  }

  /** Closes all connections. */
  public Future<Void> close() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  /** One client's connection. */
  private final class Connection implements ClientFrames.Sink {
    private final NetSocket socket;
    private final Context context = vertx.getOrCreateContext();
    private final List<Buffer> arrived = new ArrayList<>();
    private List<Buffer> answers = new ArrayList<>();

    /** Null until the client has said which group it wants. */
    private Served served;

    private int maxMessageBytes;
    private boolean refused;

    Connection(NetSocket socket) {
      this.socket = socket;
    }

    void start() {
      var frames = ClientFrames.parser(this);
      socket.handler(
          buffer -> {
            frames.handle(buffer);
            takeArrived();
          });
      socket.exceptionHandler(
          e -> LOG.debug("client {}: {}", socket.remoteAddress(), e.toString()));
      socket.closeHandler(v -> groups.values().forEach(this::forget));
    }

    private void forget(Served group) {
      group.clients.values().removeIf(this::equals);
    }

    @Override
    public int leastBytes() {
      return served == null ? 2 * Integer.BYTES : ClientFrames.REQUEST_HEADER_BYTES;
    }

    @Override
    public int mostBytes() {
      return served == null ? MAX_HELLO_BYTES : ClientFrames.REQUEST_HEADER_BYTES + maxMessageBytes;
    }

    @Override
    public void onInvalid(int bytes) {
      refuse("sent a frame of " + bytes + " bytes, allowed is up to " + mostBytes());
    }

    @Override
    public void onFrame(Buffer frame) {
      if (refused) {
        return;
      }
      if (served == null) {
        greet(frame);
      } else {
        arrived.add(frame);
      }
    }

    private void refuse(String why) {
      refused = true;
      LOG.warn("client {} {}, is disconnected", socket.remoteAddress(), why);
      socket.close();
    }

    private void greet(Buffer hello) {
      String name = hello.getString(2 * Integer.BYTES, hello.length());
      Served wanted = groups.get(name);
      if (hello.getInt(0) != ClientFrames.MAGIC
          || hello.getInt(Integer.BYTES) != ClientFrames.VERSION) {
        refuse("speaks another protocol");
      } else if (wanted == null || wanted.group == null) {
        refuse("asks for the group " + name + ", which is not here");
      } else {
        maxMessageBytes = wanted.group.options().getMaxMessageBytes();
        served = wanted;
      }
    }

    private void takeArrived() {
      if (!arrived.isEmpty()) {
        List<Buffer> requests = new ArrayList<>(arrived);
        arrived.clear();
        vertx.executeBlocking(
            () -> {
              take(requests);
              return null;
            });
      }
    }

    private void take(List<Buffer> requests) {
      for (Buffer request : requests) {
        long clientId = request.getLong(0);
        long sequence = request.getLong(Long.BYTES);
        served.clients.put(clientId, this);
        OfferResult intake = offer(request, clientId, sequence);
        if (intake != OfferResult.ACCEPTED && intake != OfferResult.ANSWERED) {
          answer(ClientFrames.answer(intake.ordinal(), clientId, sequence, 0));
        }
      }
      served.group.flush();
    }

    private OfferResult offer(Buffer request, long clientId, long sequence) {
      ByteBuffer body = ByteBuffer.wrap(request.getBytes());
      int header = ClientFrames.REQUEST_HEADER_BYTES;
      return served.group.offer(clientId, sequence, body, header, request.length() - header);
    }

    /** Any thread; many answers cost one task of the event loop. */
    void answer(Buffer answer) {
      boolean first;
      synchronized (this) {
        first = answers.isEmpty();
        answers.add(answer);
      }
      if (first) {
        context.runOnContext(v -> writeAnswers());
      }
    }

    private void writeAnswers() {
      List<Buffer> ready;
      synchronized (this) {
        ready = answers;
        answers = new ArrayList<>();
      }
      Buffer all = Buffer.buffer();
      ready.forEach(all::appendBuffer);
      socket.write(all);
    }
  }
}
