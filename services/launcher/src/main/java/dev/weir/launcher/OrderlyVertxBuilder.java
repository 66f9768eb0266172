package dev.weir.launcher;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.spi.VertxMetricsFactory;
import io.vertx.core.spi.VertxTracerFactory;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.core.transport.Transport;
import java.util.function.Supplier;

/**
 * Builds a Vert.x for the launcher that stops our things, in order, before itself. The launcher
 * closes it on a signal; Vert.x's own close hooks all run at once, before the verticles stop, while
 * intake has to end before the services drain, and both before connections are closed.
 */
final class OrderlyVertxBuilder implements VertxBuilder {
  private final VertxBuilder builder;
  private final Supplier<Future<Void>> stop;
  private volatile Vertx built;

  /**
   * @param stop called when the launcher closes Vert.x, on any thread
   */
  OrderlyVertxBuilder(VertxBuilder builder, Supplier<Future<Void>> stop) {
    this.builder = builder;
    this.stop = stop;
  }

  @Override
  public VertxBuilder with(VertxOptions options) {
    builder.with(options);
    return this;
  }

  @Override
  public VertxBuilder withMetrics(VertxMetricsFactory factory) {
    builder.withMetrics(factory);
    return this;
  }

  @Override
  public VertxBuilder withTracer(VertxTracerFactory factory) {
    builder.withTracer(factory);
    return this;
  }

  @Override
  public VertxBuilder withTransport(Transport transport) {
    builder.withTransport(transport);
    return this;
  }

  @Override
  public VertxBuilder withClusterManager(ClusterManager clusterManager) {
    builder.withClusterManager(clusterManager);
    return this;
  }

  @Override
  public Vertx build() {
    return wrap(builder.build());
  }

  @Override
  public Future<Vertx> buildClustered() {
    return builder.buildClustered().map(this::wrap);
  }

  private Vertx wrap(Vertx vertx) {
    built = vertx;
    return new OrderlyVertx(vertx);
  }

  /** What was built, for all but the launcher; null before. */
  Vertx built() {
    return built;
  }

  private final class OrderlyVertx extends VertxWrapper {
    OrderlyVertx(Vertx vertx) {
      super((VertxInternal) vertx);
    }

    @Override
    public Future<Void> close() {
      return stop.get().transform(stopped -> delegate.close());
    }
  }
}
