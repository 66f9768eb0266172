package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.transport.SharedSecret;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One connection to each member for several clients. A member of an earlier version shares none:
 * each client has one of its own there. All clients have the same context.
 */
public final class SharedConnections implements MemberConnections {
  /** Why a client without a secret is not let in. */
  static final String NO_SECRET = "there clients have to know a secret, here secretFile is not set";

  /** A member that did not share is asked again after that: it may have been upgraded. */
  private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

  private final Vertx vertx;
  private final Context context;
  private final NetClient client;
  private final SharedSecret secret;
  private final int greetingMs;
  private final int silenceMs;
  private final Map<HostPort, Future<SharedLink>> shared = new HashMap<>();

  /** When members said that they do not share. */
  private final Map<HostPort, Long> unsharedNs = new HashMap<>();

  /** Clients that are not closed. */
  private int users;

  /**
   * @param users clients that will use these connections
   */
  private SharedConnections(
      Vertx vertx, Context context, ProcessorClientOptions options, int users) {
    this.vertx = vertx;
    this.context = context;
    this.client = vertx.createNetClient(ClientSecurity.net(options));
    this.secret = SharedSecret.read("secretFile", options.getSecretFile());
    this.greetingMs = Math.min(options.getConnectTimeoutMs(), options.getSilenceMs());
    this.silenceMs = options.getSilenceMs();
    this.users = users;
  }

  /**
   * Creates a client of each group.
   *
   * @param options of all clients, but for the group
   * @param members by group, the addresses of its members, which may change
   */
  public static Map<String, TcpProcessorClient> clients(
      Vertx vertx, ProcessorClientOptions options, Map<String, Supplier<List<HostPort>>> members) {
    Context context = vertx.getOrCreateContext();
    MemberConnections shared = new SharedConnections(vertx, context, options, members.size());
    Executor turns = TurnBatch.turns(context, Runnable::run);
    Map<String, TcpProcessorClient> all = new LinkedHashMap<>();
    members.forEach(
        (group, known) -> {
          ProcessorClientOptions each = new ProcessorClientOptions(options).setGroup(group);
          all.put(group, new TcpProcessorClient(vertx, turns, each, known, shared));
        });
    return all;
  }

  @Override
  public Future<ClientLink> connect(HostPort member) {
    Long askedNs = unsharedNs.get(member);
    if (askedNs != null && System.nanoTime() - askedNs < ASK_AGAIN_NS) {
      return own(member);
    }
    Future<SharedLink> link = shared.get(member);
    if (link == null) {
      Greeting greeting = new Greeting(member);
      link = greeting.agreed.future();
      shared.put(member, link);
      greeting.begin();
    }
    return link.compose(streams -> open(member, streams.open()))
        .recover(e -> e instanceof NotShared ? own(member) : Future.failedFuture(e));
  }

  private Future<ClientLink> open(HostPort member, ClientLink stream) {
    return stream == null ? connect(member) : Future.succeededFuture(stream);
  }

  /** A member that cannot be reached may be restarting, as a later version. */
  private Future<ClientLink> own(HostPort member) {
    return client
        .connect(member.port(), member.host())
        .<ClientLink>map(SocketLink::new)
        .onFailure(e -> unsharedNs.remove(member));
  }

  @Override
  public Future<Void> close() {
    return --users > 0 ? Future.succeededFuture() : client.close();
  }

  /** A member does not share connections, or says why it wants none of this client. */
  private static final class NotShared extends Exception {
    private static final long serialVersionUID = 1;

    NotShared(String reason) {
      super(reason, null, false, false);
    }
  }

  /** Agrees with a member on a shared connection, and passes its frames on from then on. */
  private final class Greeting implements ClientFrames.Sink {
    private final HostPort member;
    private final Promise<SharedLink> agreed = Promise.promise();
    private ClientLink link;
    private AnswerSink answers;

    /** Null until the member has agreed. */
    private SharedLink streams;

    Greeting(HostPort member) {
      this.member = member;
    }

    void begin() {
      client
          .connect(member.port(), member.host())
          .onSuccess(socket -> greet(new SocketLink(socket)))
          .onFailure(this::fail);
    }

    private void greet(ClientLink connection) {
      link = connection;
      answers = new AnswerSink(link, this::onAnswer);
      link.handler(ClientFrames.parser(this));
      link.closeHandler(this::closed);
      link.write(ClientFrames.hello(ClientFrames.SHARED));
      vertx.setTimer(greetingMs, late -> failIfSilent());
    }

    private void failIfSilent() {
      if (streams == null) {
        fail(new IllegalStateException("the member does not greet"));
      }
    }

    private void forget() {
      shared.remove(member, agreed.future());
    }

    private void fail(Throwable why) {
      forget();
      if (agreed.tryFail(why) && link != null) {
        link.abort();
      }
    }

    private void closed() {
      fail(new IllegalStateException("the member has closed the connection"));
      if (streams != null) {
        streams.end();
      }
    }

    private void onAnswer(Buffer answer) {
      switch (answer.getByte(0)) {
        case ClientFrames.WELCOME -> {
          streams = SharedLink.ofClient(context, link, this::forget, silenceMs);
          agreed.tryComplete(streams);
        }
        case ClientFrames.CHALLENGE -> prove(ClientFrames.text(answer));
        default -> refuse(ClientFrames.text(answer));
      }
    }

    private void prove(String challenge) {
      if (secret == null) {
        refuse(NO_SECRET);
      } else {
        link.write(ClientFrames.proof(secret.proof("client", ClientFrames.SHARED, challenge)));
      }
    }

    /** A client that connects by itself is refused for the same reason, and says it. */
    private void refuse(String reason) {
      unsharedNs.put(member, System.nanoTime());
      fail(new NotShared(reason));
    }

    @Override
    public int minBytes() {
      return streams == null ? answers.minBytes() : streams.minBytes();
    }

    @Override
    public int maxBytes() {
      return streams == null ? answers.maxBytes() : streams.maxBytes();
    }

    @Override
    public void onFrame(Buffer frame) {
      if (streams == null) {
        answers.onFrame(frame);
      } else {
        streams.onFrame(frame);
      }
    }

    @Override
    public void onInvalid(int bytes) {
      link.close();
    }
  }
}
