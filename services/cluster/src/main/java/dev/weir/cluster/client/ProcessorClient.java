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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Sends requests to whichever member of a group is primary, each applied once: what has no reply
 * when a primary is lost is sent again, in order, under the same sequence, to the next. Replies
 * come in the order of requests, but for those to requests that were sent again: the group may have
 * the reply to one of them at hand, and that to an earlier one not yet.
 *
 * <p>Any thread may use it; futures complete on its Vert.x context.
 */
public final class ProcessorClient {
  private final Vertx vertx;
  private final Context context;
  private final ProcessorClientOptions options;
  private final List<HostPort> members;
  private final NetClient client;
  private final ArrayDeque<Waiting> unanswered = new ArrayDeque<>();

  /** Of these, the last ones, which are not sent yet: too far ahead of the first. */
  private final ArrayDeque<Waiting> held = new ArrayDeque<>();

  private long nextSequence;

  /** The highest that was written to any connection. */
  private long lastWritten;

  /** Written on the context only. */
  private volatile long sentAgain;

  private int member;
  private NetSocket socket;
  private boolean connecting;
  private boolean closed;
  private long turn;
  private long lastReplyNs;
  private final List<Runnable> handedIn = new ArrayList<>();

  private record Waiting(long sequence, Buffer body, Promise<Buffer> reply) {}

  private ProcessorClient(Vertx vertx, ProcessorClientOptions options) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.options = new ProcessorClientOptions(options);
    this.nextSequence = options.getFirstSequence();
    this.lastWritten = nextSequence - 1;
    this.members = options.getMembers().stream().map(HostPort::of).toList();
    this.client =
        vertx.createNetClient(
            new NetClientOptions()
                .setTcpNoDelay(true)
                .setConnectTimeout(options.getConnectTimeoutMs()));
  }

  /**
   * Creates a client, which connects when it is first used and as often as needed.
   *
   * @throws IllegalArgumentException if the options name no member
   */
  public static ProcessorClient create(Vertx vertx, ProcessorClientOptions options) {
    if (options.getMembers().isEmpty()) {
      throw new IllegalArgumentException("members is empty, allowed is at least one host:port");
    }
    ProcessorClient created = new ProcessorClient(vertx, options);
    long everyMs = Math.max(1, options.getSilenceMs() / 4);
    created.onContext(() -> vertx.setPeriodic(everyMs, timer -> created.leaveSilentMember(timer)));
    return created;
  }

  /** Who it is to the group. */
  public long clientId() {
    return options.getClientId();
  }

  /**
   * How often a request was sent that had been sent before, since its creation: after a connection
   * was lost or silent, or when the group could not take it.
   */
  public long sentAgain() {
    return sentAgain;
  }

  /**
   * Sends a request. The future completes with the reply once as many replicas as the group asks
   * for hold the request, however many members fail before; it fails if the group refuses the
   * request for good, as it refuses all of a client whose earlier ones it does not know any more,
   * if the window is full, or when the client is closed.
   */
  public Future<Buffer> send(Buffer body) {
    Promise<Buffer> reply = Promise.promise();
    onContext(() -> send(body, reply));
    return reply.future();
  }

  /** Ends it; what has no reply fails. */
  public Future<Void> close() {
    Promise<Void> done = Promise.promise();
    onContext(
        () -> {
          closed = true;
          unanswered.forEach(waiting -> waiting.reply.fail("the client is closed"));
          unanswered.clear();
          held.clear();
          client.close().onComplete(done);
        });
    return done.future();
  }

  /** Keeps the order of callers; many calls cost one task of the event loop. */
  private void onContext(Runnable task) {
    boolean first;
    synchronized (handedIn) {
      first = handedIn.isEmpty();
      handedIn.add(task);
    }
    if (first) {
      context.runOnContext(v -> runHandedIn());
    }
  }

  private void runHandedIn() {
    List<Runnable> tasks;
    synchronized (handedIn) {
      tasks = new ArrayList<>(handedIn);
      handedIn.clear();
    }
    tasks.forEach(Runnable::run);
  }

  private void send(Buffer body, Promise<Buffer> reply) {
    if (closed) {
      reply.fail("the client is closed");
    } else if (body.length() > options.getMaxMessageBytes()) {
      reply.fail(
          "body has " + body.length() + " bytes, allowed is " + options.getMaxMessageBytes());
    } else if (unanswered.size() >= options.getWindow()) {
      reply.fail("window is full: " + options.getWindow() + " requests have no reply yet");
    } else {
      Waiting waiting = new Waiting(nextSequence++, body, reply);
      if (unanswered.isEmpty()) {
        lastReplyNs = System.nanoTime();
      }
      unanswered.add(waiting);
      held.add(waiting);
      if (socket != null) {
        writeHeld();
      } else {
        connect();
      }
    }
  }

  /**
   * Sends what is not a whole window ahead of the first without a reply. That one may have to be
   * sent again, and the group remembers the replies of a window only.
   */
  private void writeHeld() {
    while (!held.isEmpty()
        && held.peek().sequence - unanswered.peek().sequence < options.getWindow()) {
      Waiting waiting = held.poll();
      note(waiting.sequence);
      socket.write(ClientFrames.request(options.getClientId(), waiting.sequence, waiting.body));
    }
  }

  private void note(long sequence) {
    if (sequence > lastWritten) {
      lastWritten = sequence;
    } else {
      sentAgain = sentAgain + 1;
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
                tryNext();
              }
            });
  }

  private void connected(NetSocket connection) {
    socket = connection;
    long mine = ++turn;
    lastReplyNs = System.nanoTime();
    connection.handler(ClientFrames.parser(new Answers(connection, mine)));
    connection.closeHandler(v -> leave(mine));
    connection.exceptionHandler(e -> leave(mine));
    connection.write(ClientFrames.hello(options.getGroup()));
    held.clear();
    held.addAll(unanswered);
    writeHeld();
  }

  /** What comes on one connection. */
  private final class Answers implements ClientFrames.Sink {
    private final NetSocket connection;
    private final long mine;

    Answers(NetSocket connection, long mine) {
      this.connection = connection;
      this.mine = mine;
    }

    @Override
    public int leastBytes() {
      return ClientFrames.ANSWER_HEADER_BYTES;
    }

    @Override
    public int mostBytes() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void onFrame(Buffer frame) {
      if (mine == turn) {
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
      lastReplyNs = System.nanoTime();
      Waiting waiting = remove(sequence);
      if (waiting != null) {
        waiting.reply.complete(answer.getBuffer(ClientFrames.ANSWER_HEADER_BYTES, answer.length()));
      }
      return;
    }
    OfferResult intake = ClientFrames.intake(answer.getByte(0));
    if (isForGood(intake, sequence)) {
      Waiting waiting = remove(sequence);
      if (waiting != null) {
        waiting.reply.fail(refusal(intake, sequence));
      }
    } else if (intake != OfferResult.PENDING) {
      // Not taken, nor anything after it: from the first unanswered on again, there or elsewhere.
      startAgain(intake);
    }
  }

  /**
   * All before the first unanswered one were answered, so whoever may acknowledge knows them: if it
   * does not, no other will.
   */
  private boolean isForGood(OfferResult intake, long sequence) {
    return intake == null
        || intake == OfferResult.FORGOTTEN
        || intake == OfferResult.INVALID
        || intake == OfferResult.GAP
            && !unanswered.isEmpty()
            && unanswered.peek().sequence == sequence;
  }

  private String refusal(OfferResult intake, long sequence) {
    String refused = "request " + sequence + " was refused: " + intake;
    return intake == OfferResult.GAP
        ? refused + ", the group does not know those of client " + clientId() + " before it"
        : refused;
  }

  private Waiting remove(long sequence) {
    Waiting removed = removeUnanswered(sequence);
    if (socket != null) {
      writeHeld();
    }
    return removed;
  }

  /** Replies come in the order of requests, but for those sent again. */
  private Waiting removeUnanswered(long sequence) {
    Waiting first = unanswered.peek();
    if (first != null && first.sequence == sequence) {
      return unanswered.poll();
    }
    for (Iterator<Waiting> each = unanswered.iterator(); each.hasNext(); ) {
      Waiting waiting = each.next();
      if (waiting.sequence == sequence) {
        each.remove();
        return waiting;
      }
    }
    return null;
  }

  private void startAgain(OfferResult intake) {
    if (intake == OfferResult.NOT_PRIMARY || intake == OfferResult.UNAVAILABLE) {
      member = (member + 1) % members.size();
    }
    leave(turn);
  }

  private void leave(long which) {
    if (which == turn && socket != null) {
      NetSocket left = socket;
      socket = null;
      turn++;
      left.close();
      retry();
    }
  }

  private void tryNext() {
    member = (member + 1) % members.size();
    retry();
  }

  private void retry() {
    if (!closed) {
      vertx.setTimer(
          options.getRetryMs(),
          timer -> {
            if (!unanswered.isEmpty()) {
              connect();
            }
          });
    }
  }

  private void leaveSilentMember(long timer) {
    if (closed) {
      vertx.cancelTimer(timer);
    } else if (socket != null
        && !unanswered.isEmpty()
        && System.nanoTime() - lastReplyNs > options.getSilenceMs() * 1_000_000L) {
      member = (member + 1) % members.size();
      leave(turn);
    }
  }
}
