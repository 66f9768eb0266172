package dev.weir.cluster.client;

import dev.weir.cluster.MessageSink;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ReplySink;
import dev.weir.cluster.threads.Turn;
import dev.weir.cluster.transport.SharedSecret;
import dev.weir.cluster.transport.WarningLog;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients: a {@link ClientConnection} for each connection.
 *
 * <p>The event loops are the endpoint's own, because a request may wait there for the group's lock
 * and log. A hand-over to a worker thread and back would cost more than the request.
 */
public final class TcpClientEndpoint {
  /** With this as its port, Vert.x has all event loops share one that is free. */
  private static final int ANY_SHARED_PORT = -1;

  private final Vertx vertx;
  private final NetServerOptions server = new NetServerOptions().setTcpNoDelay(true);

  /** Null if clients need not know one. */
  private final SharedSecret secret;

  private final Map<String, ServedGroup> groups = new ConcurrentHashMap<>();

  /** About clients, who may be anybody. */
  private final WarningLog warnings =
      new WarningLog(LoggerFactory.getLogger(TcpClientEndpoint.class), "client endpoint:");

  /** Null until the endpoint listens. */
  private volatile String deployment;

  public TcpClientEndpoint(Vertx vertx) {
    this(vertx, new NodeOptions());
  }

  /**
   * @param node has the certificate that clients are shown, and the secret they have to know
   */
  public TcpClientEndpoint(Vertx vertx, NodeOptions node) {
    this.vertx = vertx;
    this.secret = SharedSecret.read("secretFile", node.getSecretFile());
    if (node.getTlsCertificates() != null) {
      server
          .setSsl(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(node.getTlsCertificates().toString())
                  .setKeyPath(node.getTlsKey().toString()));
    }
  }

  /** A connection that fails before it is one: without TLS, where that is on. */
  private void onFailure(Throwable e) {
    warnings.add("refused a client: " + e.getMessage());
  }

  public ReplySink replies(String group) {
    return groups.computeIfAbsent(group, name -> new ServedGroup());
  }

  public void serve(MessageSink group) {
    ((ServedGroup) replies(group.options().getName())).serve(group);
  }

  public Future<Integer> listen(String host, int port) {
    EventLoops loops = new EventLoops(host, port == 0 ? ANY_SHARED_PORT : port);
    return vertx
        .deployVerticle(loops)
        .map(
            id -> {
              deployment = id;
              return loops.port;
            });
  }

  public Future<Void> close() {
    return deployment == null ? Future.succeededFuture() : vertx.undeploy(deployment);
  }

  /** Event loops that end with the Vert.x instance of the user, or before. */
  private final class EventLoops extends VerticleBase {
    private final String host;
    private volatile int port;
    private Vertx own;

    EventLoops(String host, int port) {
      this.host = host;
      this.port = port;
    }

    @Override
    public Future<?> start() {
      int count = Runtime.getRuntime().availableProcessors();
      int asked = port;
      DeploymentOptions instances = new DeploymentOptions().setInstances(count);
      return Future.fromCompletionStage(create(count), context)
          .compose(
              created -> {
                own = created;
                return here(own.deployVerticle(() -> new Listener(asked), instances));
              })
          .recover(e -> stop().transform(stopped -> Future.failedFuture(e)));
    }

    /** On a thread that is not Vert.x's, where it warns of a second instance. */
    private static CompletionStage<Vertx> create(int loops) {
      // Otherwise a killed process leaves a directory of Vert.x behind.
      FileSystemOptions files = new FileSystemOptions().setClassPathResolvingEnabled(false);
      VertxOptions options =
          new VertxOptions().setEventLoopPoolSize(loops).setFileSystemOptions(files);
      return CompletableFuture.supplyAsync(
          () -> Vertx.vertx(options), task -> new Thread(task, "weir-client-endpoint").start());
    }

    @Override
    public Future<?> stop() {
      return own == null ? Future.succeededFuture() : here(own.close());
    }

    /** The result on the context of the user's instance: the other one may be gone. */
    private <T> Future<T> here(Future<T> result) {
      Promise<T> promise = Promise.promise();
      result.onComplete(
          done -> context.runOnContext(v -> promise.complete(done.result(), done.cause())));
      return promise.future();
    }

    private final class Listener extends VerticleBase {
      private final int asked;
      private Executor turns;

      Listener(int asked) {
        this.asked = asked;
      }

      @Override
      public Future<?> start() {
        turns = TurnBatch.turns(vertx.getOrCreateContext(), Turn::run);
        return vertx
            .createNetServer(server)
            .connectHandler(
                socket ->
                    new ClientConnection(
                            vertx, turns, groups, secret, new SocketLink(socket), warnings, true)
                        .start())
            .exceptionHandler(TcpClientEndpoint.this::onFailure)
            .listen(asked, host)
            .onSuccess(server -> port = server.actualPort());
      }
    }
  }
}
