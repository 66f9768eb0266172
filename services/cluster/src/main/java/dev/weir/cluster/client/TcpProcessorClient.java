package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of a group over one TCP connection at a time: to the member that accepted requests
 * last, or to the next one in turn. All fields are used on the client's context only.
 */
public final class TcpProcessorClient {
  private static final Logger LOG = LoggerFactory.getLogger(TcpProcessorClient.class);
  private static final String CLOSED = "the client is closed";

  /** Requests of one turn of the event loop are written together, up to about this size. */
  private static final int WRITE_BYTES = 256 << 10;

  /** No group has larger replies. */
  private static final int MAX_ANSWER_BYTES = ClientFrames.ANSWER_HEADER_BYTES + (4 << 20);

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

  /** The member of the current connection has said what it takes. */
  private boolean welcome;

  /** A timer runs, after which requests are written again on the same connection. */
  private boolean rewriting;

  /** Why a member refused this client last; null if none did. */
  private String lastRefusal;

  /** Written on the context only. */
  private volatile long clientId;

  private boolean connecting;
  private boolean closed;
  private long lastReplyNs;

  private TcpProcessorClient(Vertx vertx, ProcessorClientOptions options) {
    Context context = vertx.getOrCreateContext();
    this.vertx = vertx;
    this.options = new ProcessorClientOptions(options);
    this.members = options.getMembers().stream().map(HostPort::of).toList();
    this.calls = new TurnBatch<>(context, this::run);
    this.clientId =
        options.getClientId() == ProcessorClientOptions.RANDOM_ID
            ? randomId()
            : options.getClientId();
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
    long everyMs = Math.max(1, created.greetingMs() / 4);
    created.calls.add(() -> vertx.setPeriodic(everyMs, created::leaveSilentMember));
    return created;
  }

  /** Any thread. */
  public long clientId() {
    return clientId;
  }

  /** The system takes connections for a process that is stopped, too, so it has to greet. */
  private int greetingMs() {
    return Math.min(options.getConnectTimeoutMs(), options.getSilenceMs());
  }

  private static long randomId() {
    return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
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
          window.removeAll().forEach(request -> request.reply().fail(CLOSED));
          leave(connectionNumber);
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
    if (socket == null || !welcome) {
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
      ClientFrames.appendRequest(frames, clientId, next.sequence(), next.body());
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
    client
        .connect(members.get(member).port(), members.get(member).host())
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
    welcome = false;
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
      return MAX_ANSWER_BYTES;
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
    int kind = answer.getByte(0);
    if (kind == ClientFrames.WELCOME) {
      onWelcome(answer);
    } else if (kind == ClientFrames.REFUSED) {
      onRefused(ClientFrames.text(answer));
    } else if (answer.getLong(1) == clientId) {
      // Otherwise the answer is for an id that this client had before.
      onResult(kind, answer.getLong(1 + Long.BYTES), answer);
    }
  }

  private void onWelcome(Buffer answer) {
    ClientFrames.begin(window, answer);
    welcome = true;
    lastReplyNs = System.nanoTime();
  }

  private void onRefused(String reason) {
    if (!reason.equals(lastRefusal)) {
      LOG.warn("client {} is refused by {}: {}", clientId, members.get(member), reason);
    }
    lastRefusal = reason;
    leaveForNext();
  }

  private void onResult(int kind, long sequence, Buffer answer) {
    if (kind == ClientFrames.REPLY) {
      lastReplyNs = System.nanoTime();
      RequestWindow.Request request = window.remove(sequence);
      if (request != null) {
        int header = ClientFrames.ANSWER_HEADER_BYTES;
        request.reply().complete(answer.getBuffer(header, answer.length()));
      }
      return;
    }
    OfferResult result = ClientFrames.offerResult(kind);
    if (result == null) {
      leave(connectionNumber);
      return;
    }
    window.answered(sequence, result);
    switch (result) {
      case REJECTED, FORGOTTEN, INVALID -> refuse(result, sequence, answer);
      case SESSION_EXPIRED, TOO_MANY_CLIENTS -> onNoSession(result, sequence, answer);
      case GAP -> onGap(sequence, answer);
      case BUSY -> rewrite();
      case NOT_PRIMARY, UNAVAILABLE -> leaveForNext();
      case PENDING, ACCEPTED, ANSWERED -> {
        // The reply follows.
      }
    }
  }

  /** Fails a request for which another attempt cannot help. */
  private void refuse(OfferResult result, long sequence, Buffer answer) {
    lastReplyNs = System.nanoTime();
    RequestWindow.Request request = window.remove(sequence);
    if (request != null) {
      Refusals.fail(request, result, clientId, ClientFrames.text(answer));
    }
  }

  /**
   * A gap before the oldest request is final: all before it were answered, so if the primary does
   * not know them, no other member does. A gap before another one follows a refusal of an earlier
   * one.
   */
  private void onGap(long sequence, Buffer answer) {
    if (window.isOldest(sequence)) {
      onNoSession(OfferResult.GAP, sequence, answer);
    } else {
      rewrite();
    }
  }

  /**
   * The group does not know this client. A client whose id was its own choice gets another one. Its
   * requests are sent again under the new id, except those that the group may have handled.
   */
  private void onNoSession(OfferResult result, long sequence, Buffer answer) {
    if (options.getClientId() != ProcessorClientOptions.RANDOM_ID) {
      refuse(window.refused(result), sequence, answer);
      return;
    }
    boolean full = result == OfferResult.TOO_MANY_CLIENTS;
    List<RequestWindow.Request> failed = full ? window.removeAll() : window.renumber();
    if (full) {
      window.renumber();
    }
    long unknown = clientId;
    clientId = randomId();
    lastReplyNs = System.nanoTime();
    Refusals.failAll(failed, result, unknown);
  }

  /** Writes all requests without a reply again on the same connection, after a pause. */
  private void rewrite() {
    long number = connectionNumber;
    if (!rewriting) {
      rewriting = true;
      vertx.setTimer(
          options.getRetryMs(),
          timer -> {
            rewriting = false;
            if (number == connectionNumber && welcome) {
              window.rewind();
              write();
            }
          });
    }
  }

  private void nextMember() {
    member = (member + 1) % members.size();
  }

  private void leaveForNext() {
    nextMember();
    leave(connectionNumber);
  }

  /** Closes a connection, unless it is not the current one any more, and connects again later. */
  private void leave(long number) {
    if (number == connectionNumber && socket != null) {
      connectionNumber++;
      ClientFrames.abort(socket);
      socket = null;
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
            > TimeUnit.MILLISECONDS.toNanos(welcome ? options.getSilenceMs() : greetingMs())) {
      leaveForNext();
    }
  }
}
