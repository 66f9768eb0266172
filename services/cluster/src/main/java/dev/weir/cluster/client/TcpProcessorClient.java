package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.transport.SharedSecret;
import dev.weir.cluster.transport.WarningLog;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of a group over one TCP connection at a time, or a stream of a shared one: to the
 * member that accepted requests last, or to the next one in turn. All fields are used on the
 * client's context only.
 */
public final class TcpProcessorClient {
  private static final Logger LOG = LoggerFactory.getLogger(TcpProcessorClient.class);
  private static final String CLOSED = "the client is closed";

  /** In place of a time to wait: for ever. */
  public static final long NO_TIMEOUT = 0;

  /** The longest time to wait. */
  public static final long MAX_MS = TimeUnit.DAYS.toMillis(365);

  private final Vertx vertx;
  private final ProcessorClientOptions options;
  private final MemberRing members;
  private final MemberConnections connections;

  /** Null if this client knows none. */
  private final SharedSecret secret;

  private final TurnBatch<Runnable> calls;
  private final RequestWindow window;
  private final RequestWriter writer;

  private final RetryPause pause;

  /** Null while the client is not connected. */
  private ClientLink socket;

  /** Tells events of the current connection from those of earlier ones. */
  private long connectionNumber;

  /** The member of the current connection has said what it takes. */
  private boolean welcome;

  /** A timer runs, after which requests are written again on the same connection. */
  private boolean rewriting;

  /** Why members refuse this client. */
  private final WarningLog warnings;

  /** Written on the context only. */
  private volatile long clientId;

  private boolean connecting;
  private boolean closed;

  /** Completes when the connections are closed; null before {@link #close}. */
  private Future<Void> ended;

  private long lastReplyNs;

  /**
   * A client that begins to work.
   *
   * @param turns runs what this client does, on the context of its connections
   * @param members the addresses of members, which may change
   */
  TcpProcessorClient(
      Vertx vertx,
      Executor turns,
      ProcessorClientOptions options,
      Supplier<List<HostPort>> members,
      MemberConnections connections) {
    this.connections = connections;
    this.vertx = vertx;
    this.options = new ProcessorClientOptions(options);
    this.members = new MemberRing(members);
    this.calls = new TurnBatch<>(turns, this::run);
    this.clientId =
        options.getClientId() == ProcessorClientOptions.RANDOM_ID
            ? randomId()
            : options.getClientId();
    this.window = new RequestWindow(options.getWindow(), options.getFirstSequence());
    this.writer =
        new RequestWriter(window, options.getClientId() == ProcessorClientOptions.RANDOM_ID);
    this.pause = new RetryPause(vertx, options.getRetryMs(), System::nanoTime);
    this.secret = SharedSecret.read("secretFile", options.getSecretFile());
    this.warnings = new WarningLog(LOG, "group " + options.getGroup() + ":");
    long everyMs = Math.max(1, greetingMs() / 4);
    calls.add(() -> vertx.setPeriodic(everyMs, this::tick));
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

  public Future<Buffer> send(Buffer body, long timeoutMs) {
    Promise<Buffer> reply = Promise.promise();
    calls.add(() -> send(body, timeoutMs, reply));
    return reply.future();
  }

  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    calls.add(
        () -> {
          if (!closed) {
            closed = true;
            window.removeAll().forEach(request -> request.reply().tryFail(CLOSED));
            leave(connectionNumber);
            ended = connections.close();
          }
          ended.onComplete(done);
        });
    return done.future();
  }

  private void run(List<Runnable> ready) {
    ready.forEach(Runnable::run);
    write();
  }

  private void send(Buffer body, long timeoutMs, Promise<Buffer> reply) {
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
        pause.idle();
      }
      window.add(body, timeoutMs, reply);
      connect();
    }
  }

  /** Writes the requests that may be sent; called at the end of each turn of the event loop. */
  private void write() {
    if (socket != null && welcome) {
      writer.write(socket, clientId);
    }
  }

  private void connect() {
    if (connecting || closed || socket != null || window.isEmpty() || pause.runs()) {
      return;
    }
    HostPort member = members.current();
    if (member == null) {
      retry();
      return;
    }
    connecting = true;
    connections
        .connect(member)
        .onComplete(
            result -> {
              connecting = false;
              if (result.succeeded() && !closed) {
                connected(result.result());
              } else {
                if (result.succeeded()) {
                  result.result().abort();
                }
                ClientSecurity.warn(warnings, clientId, member, result.cause());
                window.noPrimary();
                members.next();
                retry();
              }
            });
  }

  private void connected(ClientLink connection) {
    socket = connection;
    welcome = false;
    long number = ++connectionNumber;
    lastReplyNs = System.nanoTime();
    var frames = ClientFrames.parser(new AnswerSink(connection, each -> onAnswer(number, each)));
    connection.handler(
        buffer -> {
          frames.handle(buffer);
          write();
        });
    connection.closeHandler(() -> leave(number));
    connection.write(ClientFrames.hello(options.getGroup()));
  }

  private void onAnswer(long number, Buffer answer) {
    int kind = answer.getByte(0);
    if (number != connectionNumber) {
      return;
    }
    if (kind == ClientFrames.WELCOME) {
      onWelcome(answer);
    } else if (kind == ClientFrames.CHALLENGE) {
      prove(ClientFrames.text(answer));
    } else if (kind == ClientFrames.REFUSED) {
      onRefused(ClientFrames.text(answer));
    } else if (answer.getLong(1) == clientId) {
      // Otherwise the answer is for an id that this client had before.
      onResult(kind, answer.getLong(1 + Long.BYTES), answer);
    }
  }

  private void prove(String challenge) {
    if (secret == null) {
      onRefused(SharedConnections.NO_SECRET);
    } else {
      socket.write(ClientFrames.proof(secret.proof("client", options.getGroup(), challenge)));
    }
  }

  private void onWelcome(Buffer answer) {
    writer.begin(answer);
    welcome = true;
    lastReplyNs = System.nanoTime();
  }

  private void onRefused(String reason) {
    warnings.add("client " + clientId + " is refused by " + socket.remoteAddress() + ": " + reason);
    leaveForNext();
  }

  private void onResult(int kind, long sequence, Buffer answer) {
    if (kind == ClientFrames.REPLY) {
      lastReplyNs = System.nanoTime();
      pause.succeeded();
      RequestWindow.Request request = window.remove(sequence);
      if (request != null) {
        int header = ClientFrames.ANSWER_HEADER_BYTES;
        writer.replied(answer.length() - header);
        request.reply().tryComplete(answer.getBuffer(header, answer.length()));
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
    pause.succeeded();
    RequestWindow.Request request = window.remove(sequence);
    if (request != null) {
      writer.replied(answer.length() - ClientFrames.ANSWER_HEADER_BYTES);
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

  private void leaveForNext() {
    members.next();
    leave(connectionNumber);
  }

  /** Closes a connection, unless it is not the current one any more, and connects again later. */
  private void leave(long number) {
    leave(number, ClientLink::abort);
  }

  private void leave(long number, Consumer<ClientLink> way) {
    if (number == connectionNumber && socket != null) {
      connectionNumber++;
      ClientLink left = socket;
      socket = null;
      way.accept(left);
      window.noPrimary();
      retry();
    }
  }

  private void retry() {
    if (!closed) {
      pause.begin(this::connect);
    }
  }

  private void tick(long timer) {
    if (closed) {
      vertx.cancelTimer(timer);
      return;
    }
    window.giveUp();
    if (socket != null && welcome) {
      writer.tick(socket, clientId);
    }
    if (socket != null
        && !window.isEmpty()
        && System.nanoTime() - lastReplyNs
            > TimeUnit.MILLISECONDS.toNanos(welcome ? options.getSilenceMs() : greetingMs())) {
      members.next();
      leave(connectionNumber, welcome ? ClientLink::abort : ClientLink::unanswered);
    }
  }
}
