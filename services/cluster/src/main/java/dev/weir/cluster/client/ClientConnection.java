package dev.weir.cluster.client;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.transport.SharedSecret;
import dev.weir.cluster.transport.WarningLog;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The member's side of the connection of one client, or of several that share it: reads requests,
 * offers them to the group in their order, sends answers.
 *
 * <p>Requests for which the group has no room wait here, and the socket is not read while too many
 * wait. So a client that keeps to its credit is never refused for want of room, and one that does
 * not cannot fill the memory. On the context of the connection, unless said otherwise: its event
 * loop belongs to the endpoint, so requests are handled there without a hand-over to another
 * thread.
 */
final class ClientConnection implements ClientFrames.Sink {
  private static final int MIN_HELLO_BYTES = 2 * Integer.BYTES;
  private static final int MAX_HELLO_BYTES = 256;
  private static final long HELLO_MS = TimeUnit.SECONDS.toMillis(10);

  /**
   * What is sent again may come before its first copy is handled. A client that sends more than
   * that is refused where its connection cannot be paused.
   */
  private static final int CREDITS_OF_STREAM = 4;

  /** Bytes of answers that the client has not read, at which its requests wait. */
  private static final long MAX_UNREAD_BYTES = 4 << 20;

  private final Vertx vertx;
  private final Context context;
  private final Executor turns;
  private final Map<String, ServedGroup> groups;
  private final ClientLink socket;
  private final WarningLog warnings;
  private final ArrayDeque<Buffer> arrived = new ArrayDeque<>();
  private final TurnBatch<Buffer> answers;

  /** Bytes of answers that are not written yet; any thread. */
  private final AtomicLong unread = new AtomicLong();

  /** Ids of the clients of this connection. */
  private final Set<Long> clients = new HashSet<>();

  /** The client of the last request; the least number for none. */
  private long lastClient = Long.MIN_VALUE;

  private final long acceptedNs = System.nanoTime();

  /** Null until the client has named its group. */
  private ServedGroup served;

  /** Its streams, if the connection is shared; null otherwise. */
  private SharedLink streams;

  private long arrivedBytes;
  private boolean paused;
  private boolean refused;
  private boolean closed;

  /** The group had no room; {@link #wake} ends that. */
  private volatile boolean waiting;

  /** Null if clients need not know one. */
  private final SharedSecret secret;

  /** What the client has to prove, of the group it wants; null before. */
  private String challenge;

  private String asked;

  private final boolean mayBeShared;

  /**
   * @param turns of the event loop: what the groups send to other members in one of them, and
   *     store, is sent and stored together
   * @param secret null if clients need not know one
   * @param mayBeShared whether several clients may share it, each with a stream
   */
  ClientConnection(
      Vertx vertx,
      Executor turns,
      Map<String, ServedGroup> groups,
      SharedSecret secret,
      ClientLink socket,
      WarningLog warnings,
      boolean mayBeShared) {
    this.secret = secret;
    this.mayBeShared = mayBeShared;
    this.warnings = warnings;
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.groups = groups;
    this.socket = socket;
    this.turns = turns;
    this.answers = new TurnBatch<>(turns, this::write);
  }

  /** That which was accepted later. */
  static ClientConnection later(ClientConnection one, ClientConnection other) {
    return other.acceptedNs - one.acceptedNs < 0 ? one : other;
  }

  void start() {
    var frames = ClientFrames.parser(this);
    socket.handler(frames);
    long timer = vertx.setTimer(HELLO_MS, late -> refuseSilent());
    socket.closeHandler(
        () -> {
          vertx.cancelTimer(timer);
          closed = true;
          arrived.clear();
          leaveAll();
          if (streams != null) {
            streams.end();
          }
        });
  }

  private void refuseSilent() {
    if (served == null && streams == null) {
      refuse("did not name its group within " + HELLO_MS + " ms");
    }
  }

  private void leaveAll() {
    if (served != null) {
      clients.forEach(id -> served.leave(id, this));
      clients.clear();
    }
  }

  @Override
  public int minBytes() {
    if (streams != null) {
      return streams.minBytes();
    }
    return served == null ? MIN_HELLO_BYTES : ClientFrames.REQUEST_HEADER_BYTES;
  }

  @Override
  public int maxBytes() {
    if (streams != null) {
      return streams.maxBytes();
    }
    return served == null
        ? MAX_HELLO_BYTES
        : ClientFrames.REQUEST_HEADER_BYTES + served.maxMessageBytes();
  }

  @Override
  public void onInvalid(int bytes) {
    refuse("sent a frame of " + bytes + " bytes, allowed is " + minBytes() + " to " + maxBytes());
  }

  @Override
  public void onFrame(Buffer frame) {
    if (refused) {
      return;
    }
    if (streams != null) {
      streams.onFrame(frame);
      return;
    }
    if (challenge != null && served == null) {
      onProof(frame.toString());
      return;
    }
    if (served == null) {
      onHello(frame);
      return;
    }
    if (arrived.isEmpty()) {
      turns.execute(this::offerArrived);
    }
    arrived.add(frame);
    arrivedBytes += frame.length();
    if (!paused && arrivedBytes > served.creditBytes()) {
      paused = socket.pause();
      if (!paused && arrivedBytes > CREDITS_OF_STREAM * served.creditBytes()) {
        refuse("sent more than its credit");
      }
    }
  }

  /** Tells the client why, and closes the connection. */
  private void refuse(String why) {
    refused = true;
    // Without the port, which is another one at each attempt.
    warnings.add("a client of " + socket.remoteAddress().host() + " is disconnected: it " + why);
    socket.write(ClientFrames.refused("the client " + why)).onComplete(written -> socket.close());
  }

  private void onHello(Buffer hello) {
    int version = hello.getInt(Integer.BYTES);
    String name = hello.getString(MIN_HELLO_BYTES, hello.length());
    ServedGroup wanted = groups.get(name);
    if (hello.getInt(0) != ClientFrames.MAGIC) {
      refuse("does not speak the protocol of Weir");
    } else if (version != ClientFrames.VERSION) {
      refuse("speaks version " + version + ", allowed is " + ClientFrames.VERSION);
    } else if (!isShared(name) && (wanted == null || !wanted.isServed())) {
      refuse("asks for the group " + name + ", which does not run here");
    } else if (secret != null) {
      asked = name;
      challenge = secret.nonce();
      answer(ClientFrames.challenge(challenge));
    } else {
      serve(name, wanted);
    }
  }

  private boolean isShared(String name) {
    return name.equals(ClientFrames.SHARED) && mayBeShared;
  }

  private void onProof(String proof) {
    ServedGroup wanted = groups.get(asked);
    if (!secret.isProof(proof, "client", asked, challenge)) {
      refuse("does not know the secret of secretFile");
    } else if (!isShared(asked) && (wanted == null || !wanted.isServed())) {
      refuse("asks for the group " + asked + ", which does not run here");
    } else {
      serve(asked, wanted);
    }
  }

  private void serve(String name, ServedGroup wanted) {
    if (isShared(name)) {
      answer(ClientFrames.welcome(0, 0, 0, 0));
      streams = SharedLink.ofMember(context, socket, this::serveStream);
      return;
    }
    served = wanted;
    answer(
        ClientFrames.welcome(
            served.creditRequests(),
            served.creditBytes(),
            served.maxMessageBytes(),
            served.clientExpiryMs()));
  }

  /** A client on a shared connection, which has proven what it must. */
  private void serveStream(ClientLink stream) {
    new ClientConnection(vertx, turns, groups, null, stream, warnings, false).start();
  }

  /** Offers what has arrived, until the group has no room. */
  private void offerArrived() {
    boolean offered = false;
    try {
      while (mayOffer() && offer(arrived.peek())) {
        arrivedBytes -= arrived.poll().length();
        offered = true;
      }
    } catch (Throwable e) {
      arrived.clear();
      refuse("sent a request that failed: " + e);
    }
    if (offered) {
      served.group().flush();
    }
    if (paused && arrivedBytes <= served.creditBytes() / 2) {
      paused = false;
      socket.resume();
    }
  }

  private boolean mayOffer() {
    return !waiting && !closed && !arrived.isEmpty() && unread.get() <= MAX_UNREAD_BYTES;
  }

  private boolean offer(Buffer request) {
    long clientId = request.getLong(0);
    long sequence = request.getLong(Long.BYTES);
    if (ClientFrames.releasedBefore(sequence) > 0) {
      served.group().releaseReplies(clientId, ClientFrames.releasedBefore(sequence));
      return true;
    }
    boolean isFirst = clientId != lastClient && clients.add(clientId);
    lastClient = clientId;
    if (isFirst) {
      served.use(clientId, this);
    }
    ByteBuffer body = ByteBuffer.wrap(request.getBytes());
    OfferResult result = offer(clientId, sequence, body);
    if (result == OfferResult.BUSY) {
      // What makes room now is seen by the second attempt, what makes room later wakes.
      waiting = true;
      served.await(this);
      result = offer(clientId, sequence, body);
      if (result != OfferResult.BUSY) {
        waiting = false;
      }
    }
    if (isFirst && !isTaken(result) || isUnknownClient(result)) {
      // No reply can come over this connection.
      clients.remove(clientId);
      served.leave(clientId, this);
      lastClient = Long.MIN_VALUE;
    }
    if (result == OfferResult.BUSY) {
      return false;
    }
    if (result != OfferResult.ACCEPTED && result != OfferResult.ANSWERED) {
      answer(ClientFrames.answer(result.ordinal(), clientId, sequence, 0));
    }
    return true;
  }

  /** Whether a reply follows, or went to the sink already. */
  private static boolean isTaken(OfferResult result) {
    return result == OfferResult.ACCEPTED
        || result == OfferResult.ANSWERED
        || result == OfferResult.PENDING;
  }

  private static boolean isUnknownClient(OfferResult result) {
    return result == OfferResult.TOO_MANY_CLIENTS || result == OfferResult.SESSION_EXPIRED;
  }

  private OfferResult offer(long clientId, long sequence, ByteBuffer body) {
    int header = ClientFrames.REQUEST_HEADER_BYTES;
    return served.group().offer(clientId, sequence, body, header, body.limit() - header);
  }

  /** The group may have room; any thread. */
  void wake() {
    waiting = false;
    turns.execute(this::offerArrived);
  }

  /** Sends an answer; any thread. */
  void answer(Buffer answer) {
    unread.addAndGet(answer.length());
    answers.add(answer);
  }

  private void write(List<Buffer> ready) {
    Buffer all = Buffer.buffer();
    ready.forEach(all::appendBuffer);
    int bytes = all.length();
    socket
        .write(all)
        .onComplete(
            written -> {
              unread.addAndGet(-bytes);
              if (mayOffer()) {
                turns.execute(this::offerArrived);
              }
            });
  }
}
