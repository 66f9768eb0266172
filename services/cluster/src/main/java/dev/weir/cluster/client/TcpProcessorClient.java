package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.RequestRefusedException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The client of a group over one TCP connection at a time: to the member that accepted requests
 * last, or to the next one in turn. All fields are used on the client's context only.
 */
public final class TcpProcessorClient {
  private static final String CLOSED = "the client is closed";

  /** Requests of one turn of the event loop are written together, up to about this size. */
  private static final int WRITE_BYTES = 256 << 10;

  private final Vertx vertx;
  private final ProcessorClientOptions options;
  private final List<HostPort> members;
  private final NetClient client;
  private final TurnBatch<Runnable> calls;
  private final RequestWindow window;

  /** Index of the member to which the client is, or will be, connected. */
  private int member;

  /** Null while the client is not connected. */
  private NetSocket socket;

  /** Tells events of the current connection from those of earlier ones. */
  private long connectionNumber;

  private boolean connecting;
  private boolean closed;
  private long lastReplyNs;

  private TcpProcessorClient(Vertx vertx, ProcessorClientOptions options) {
    Context context = vertx.getOrCreateContext();
    this.vertx = vertx;
    this.options = new ProcessorClientOptions(options);
    this.members = options.getMembers().stream().map(HostPort::of).toList();
    this.calls = new TurnBatch<>(context, this::run);
    this.window = new RequestWindow(options.getWindow(), options.getFirstSequence());
    this.client =
        vertx.createNetClient(
            new NetClientOptions()
                .setTcpNoDelay(true)
                .setConnectTimeout(options.getConnectTimeoutMs()));
  }

  /**
   * Creates a client.
   *
   * @throws IllegalArgumentException if the options name no member
   */
  public static TcpProcessorClient create(Vertx vertx, ProcessorClientOptions options) {
    if (options.getMembers().isEmpty()) {
      throw new IllegalArgumentException("members is empty, allowed is at least one host:port");
    }
    TcpProcessorClient created = new TcpProcessorClient(vertx, options);
    long everyMs = Math.max(1, options.getSilenceMs() / 4);
    created.calls.add(() -> vertx.setPeriodic(everyMs, created::leaveSilentMember));
    return created;
  }

  public long clientId() {
    return options.getClientId();
  }

  public long sentAgain() {
    return window.resent();
  }

  public Future<Buffer> send(Buffer body) {
    Promise<Buffer> reply = Promise.promise();
    calls.add(() -> send(body, reply));
    return reply.future();
  }

  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    calls.add(
        () -> {
          closed = true;
          window.failAll(CLOSED);
          client.close().onComplete(done);
        });
    return done.future();
  }

  private void run(List<Runnable> ready) {
    ready.forEach(Runnable::run);
    write();
  }

  private void send(Buffer body, Promise<Buffer> reply) {
    if (closed) {
      reply.fail(CLOSED);
    } else if (body.length() > options.getMaxMessageBytes()) {
      reply.fail(
          "body has " + body.length() + " bytes, allowed is " + options.getMaxMessageBytes());
    } else if (window.isFull()) {
      reply.fail("window is full: " + options.getWindow() + " requests have no reply yet");
    } else {
      if (window.isEmpty()) {
        lastReplyNs = System.nanoTime();
      }
      window.add(body, reply);
      connect();
    }
  }

  /** Writes the requests that may be sent; called at the end of each turn of the event loop. */
  private void write() {
    if (socket == null) {
      return;
    }
    Buffer frames = null;
    for (var next = window.nextToWrite(); next != null; next = window.nextToWrite()) {
      if (frames != null && frames.length() + next.body().length() > WRITE_BYTES) {
        socket.write(frames);
        frames = null;
      }
      if (frames == null) {
        frames = Buffer.buffer();
      }
      ClientFrames.appendRequest(frames, clientId(), next.sequence(), next.body());
    }
    if (frames != null) {
      socket.write(frames);
    }
  }

  private void connect() {
    if (connecting || closed || socket != null) {
      return;
    }
    connecting = true;
    HostPort address = members.get(member);
    client
        .connect(address.port(), address.host())
        .onComplete(
            result -> {
              connecting = false;
              if (result.succeeded() && !closed) {
                connected(result.result());
              } else {
                nextMember();
                retry();
              }
            });
  }

  private void connected(NetSocket connection) {
    socket = connection;
    long number = ++connectionNumber;
    lastReplyNs = System.nanoTime();
    var frames = ClientFrames.parser(new Answers(connection, number));
    connection.handler(
        buffer -> {
          frames.handle(buffer);
          write();
        });
    connection.closeHandler(v -> leave(number));
    connection.exceptionHandler(e -> leave(number));
    connection.write(ClientFrames.hello(options.getGroup()));
    window.rewind();
    write();
  }

  /** Receives the answers on one connection. */
  private final class Answers implements ClientFrames.Sink {
    private final NetSocket connection;
    private final long number;

    Answers(NetSocket connection, long number) {
      this.connection = connection;
      this.number = number;
    }

    @Override
    public int minBytes() {
      return ClientFrames.ANSWER_HEADER_BYTES;
    }

    @Override
    public int maxBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void onFrame(Buffer frame) {
      if (number == connectionNumber) {
        onAnswer(frame);
      }
    }

    @Override
    public void onInvalid(int bytes) {
      connection.close();
    }
  }

  private void onAnswer(Buffer answer) {
    long sequence = answer.getLong(1 + Long.BYTES);
    if (answer.getByte(0) == ClientFrames.REPLY) {
      onReply(sequence, answer);
      return;
    }
    OfferResult result = ClientFrames.offerResult(answer.getByte(0));
    if (isFinal(result, sequence)) {
      lastReplyNs = System.nanoTime();
      RequestWindow.Request request = window.remove(sequence);
      if (request != null) {
        String text = refusal(result, sequence, answer);
        request.reply().fail(new RequestRefusedException(result, text));
      }
    } else if (result != OfferResult.PENDING) {
      // The member accepted neither this request nor any after it: all are sent again.
      if (result == OfferResult.NOT_PRIMARY || result == OfferResult.UNAVAILABLE) {
        nextMember();
      }
      leave(connectionNumber);
    }
  }

  private void onReply(long sequence, Buffer answer) {
    lastReplyNs = System.nanoTime();
    RequestWindow.Request request = window.remove(sequence);
    if (request != null) {
      request.reply().complete(answer.getBuffer(ClientFrames.ANSWER_HEADER_BYTES, answer.length()));
    }
  }

  /**
   * Whether sending the request again cannot help. A gap before the oldest request is final: all
   * before it were answered, so if the primary does not know them, no other member does.
   */
  private boolean isFinal(OfferResult result, long sequence) {
    return result == OfferResult.FORGOTTEN
        || result == OfferResult.REJECTED
        || result == OfferResult.INVALID
        || result == OfferResult.GAP && window.isOldest(sequence);
  }

  private String refusal(OfferResult result, long sequence, Buffer answer) {
    String refused = "request " + sequence + " was refused: " + result;
    return switch (result) {
      case GAP ->
          refused + ", the group does not know the requests of client " + clientId() + " before it";
      case REJECTED ->
          refused + ", " + answer.getString(ClientFrames.ANSWER_HEADER_BYTES, answer.length());
      default -> refused;
    };
  }

  private void nextMember() {
    member = (member + 1) % members.size();
  }

  /** Closes a connection, unless it is not the current one any more, and connects again later. */
  private void leave(long number) {
    if (number == connectionNumber && socket != null) {
      NetSocket left = socket;
      socket = null;
      connectionNumber++;
      left.close();
      retry();
    }
  }

  private void retry() {
    if (!closed) {
      vertx.setTimer(
          options.getRetryMs(),
          timer -> {
            if (!window.isEmpty()) {
              connect();
            }
          });
    }
  }

  private void leaveSilentMember(long timer) {
    if (closed) {
      vertx.cancelTimer(timer);
    } else if (socket != null
        && !window.isEmpty()
        && System.nanoTime() - lastReplyNs
            > TimeUnit.MILLISECONDS.toNanos(options.getSilenceMs())) {
      nextMember();
      leave(connectionNumber);
    }
  }
}
