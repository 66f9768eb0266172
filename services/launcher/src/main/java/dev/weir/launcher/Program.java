package dev.weir.launcher;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The life of a program in its JVM: starts Vert.x and what runs on it, and stops both, in order,
 * when the JVM is told to end. Vert.x's own close hooks all run at once, before the verticles stop,
 * while intake has to end before the services drain, and both before connections are closed.
 */
final class Program {
  /** For files, connections and the cluster, besides the time for what was accepted. */
  private static final long CLOSE_MS = 60_000;

  private final LaunchOptions options;
  private final Running running;
  private final Consumer<String> say;

  /** Null for a node for itself, and before it has joined. */
  private volatile Clustering clustering;

  private volatile Vertx vertx;
  private volatile boolean failed;

  Program(LaunchOptions options, Running running, Consumer<String> say) {
    this.options = options;
    this.running = running;
    this.say = say;
  }

  /**
   * Starts everything, which takes as long as the recovery of the store takes.
   *
   * @return why it could not start; null if it did, or was told to stop meanwhile
   */
  Throwable start(VertxOptions vertxOptions) {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "weir-stop"));
    try {
      if (options.cluster().isEnabled()) {
        clustering = Clustering.join(options);
      }
      vertx = await(build(vertxOptions));
      running.serve(vertx, clustering == null ? null : clustering.node());
      await(
          vertx.deployVerticle(
              running::newInstance, new DeploymentOptions().setInstances(options.instances())));
      return null;
    } catch (Throwable e) {
      // What fails because it is being stopped is no failure.
      failed = !running.isStopping();
      return failed ? e : null;
    }
  }

  private Future<Vertx> build(VertxOptions vertxOptions) {
    VertxBuilder builder = running.vertx(vertxOptions);
    if (clustering == null) {
      return Future.succeededFuture(builder.build());
    }
    clustering.eventBus(vertxOptions.getEventBusOptions());
    return builder
        .withClusterManager(clustering.manager())
        .buildClustered()
        .onSuccess(joined -> running.show(clustering.view()));
  }

  private static <T> T await(Future<T> future) throws Throwable {
    try {
      return future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw e.getCause();
    }
  }

  /** Ended as asked: without halting, the exit code would be the signal's. */
  private void stop() {
    String problem = stopInOrder();
    if (problem != null) {
      say.accept("did not stop in order: " + problem);
    }
    if (failed) {
      return;
    }
    if (problem == null) {
      say.accept("stopped");
    }
    Runtime.getRuntime().halt(problem == null ? ExitCodes.STOPPED : ExitCodes.FAILED);
  }

  /** Null if it did. */
  private String stopInOrder() {
    try {
      running
          .stop()
          .transform(stopped -> vertx == null ? Future.succeededFuture() : vertx.close())
          .toCompletionStage()
          .toCompletableFuture()
          .get(options.drainTimeoutMs() + CLOSE_MS, TimeUnit.MILLISECONDS);
      if (clustering != null) {
        clustering.leave();
      }
      return null;
    } catch (TimeoutException e) {
      return "too slow";
    } catch (ExecutionException e) {
      return ExitCodes.line(e.getCause());
    } catch (InterruptedException e) {
      return "interrupted";
    }
  }
}
