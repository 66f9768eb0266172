package dev.weir.launcher;

import io.vertx.core.Deployable;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.launcher.application.HookContext;
import io.vertx.launcher.application.VertxApplicationHooks;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the Vert.x launcher does differently for us. */
final class LaunchHooks implements VertxApplicationHooks {
  private final LaunchOptions options;
  private final Running running;
  private final Consumer<String> say;
  private OrderlyVertxBuilder builder;
  private volatile Throwable failure;

  LaunchHooks(LaunchOptions options, Running running, Consumer<String> say) {
    this.options = options;
    this.running = running;
    this.say = say;
  }

  @Override
  public VertxBuilder createVertxBuilder(VertxOptions vertxOptions) {
    VertxBuilder plain = running.vertx(vertxOptions);
    if (options.cluster().isEnabled()) {
      Clustering.eventBus(options.cluster(), vertxOptions.getEventBusOptions());
      plain.withClusterManager(Clustering.manager(options.cluster()));
    }
    builder = new OrderlyVertxBuilder(plain, running::stop);
    return builder;
  }

  @Override
  public void afterVertxStarted(HookContext context) {
    running.serve(builder.built());
  }

  @Override
  public Supplier<? extends Deployable> verticleSupplier() {
    return running::newInstance;
  }

  /** Our settings, regardless of the launcher's own system properties. */
  @Override
  public void beforeDeployingVerticle(HookContext context) {
    context.deploymentOptions().setInstances(options.instances());
  }

  @Override
  public void afterFailureToStartVertx(HookContext context, Throwable cause) {
    failed(cause, "Vert.x did not start within two minutes");
  }

  /** Vert.x is closed by the launcher's shutdown hook, which runs when the program exits. */
  @Override
  public void afterFailureToDeployVerticle(HookContext context, Throwable cause) {
    failed(cause, "the service did not start within two minutes");
  }

  /** What fails because it is being stopped is no failure. */
  private void failed(Throwable cause, String timedOut) {
    if (running.isStopping()) {
      return;
    }
    failure = cause == null ? new IllegalStateException(timedOut) : cause;
  }

  /** Why it did not start; null if it did, or failed in another way. */
  Throwable failure() {
    return failure;
  }

  /** Ended as asked: without halting, the exit code would be the signal's. */
  @Override
  public void afterVertxStopped(HookContext context) {
    if (failure != null) {
      return;
    }
    say.accept("stopped");
    Runtime.getRuntime().halt(ExitCodes.STOPPED);
  }

  @Override
  public void afterFailureToStopVertx(HookContext context, Throwable cause) {
    say.accept("did not stop in order: " + (cause == null ? "too slow" : ExitCodes.line(cause)));
    Runtime.getRuntime().halt(ExitCodes.FAILED);
  }
}
