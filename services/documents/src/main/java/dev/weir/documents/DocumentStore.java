package dev.weir.documents;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.Weir;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.launcher.LaunchedMember;
import dev.weir.state.DocumentRoutes;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A store of documents, over HTTP below {@value #PATH} and on the event bus. It is on this node
 * alone, or this node is one of its members.
 */
final class DocumentStore implements LaunchedMember {
  static final String PATH = "/documents";

  /** Of the heap; the gateway has most of what is left. */
  private static final int HEAP_PERCENT = 40;

  private StoreSettings settings = StoreSettings.DEFAULT;

  /** Null before the start. */
  private volatile Documents documents;

  /** Null before the start, and for a store of one node. */
  private volatile ReplicatedStore replicated;

  @Override
  public String name() {
    return "documents";
  }

  @Override
  public JsonObject defaults() {
    return settings.toJson();
  }

  @Override
  public void configure(JsonObject json) {
    settings = StoreSettings.of(json);
  }

  @Override
  public int documentsPercent() {
    return HEAP_PERCENT;
  }

  @Override
  public List<String> members() {
    return settings.shards().getMembers();
  }

  @Override
  public Future<?> start(Vertx vertx, Weir weir, ClusterNode node) {
    StoreDirectory.requireMember(Path.of(weir.options().getDirectory()));
    return ReplicatedStore.open(vertx, weir, node, settings)
        .onSuccess(
            opened -> {
              replicated = opened;
              documents = opened.documents();
            });
  }

  @Override
  public Future<?> start(Vertx vertx, Weir weir) {
    StoreDirectory.requireAlone(Path.of(weir.options().getDirectory()));
    DocumentsOptions options =
        new DocumentsOptions(settings.options()).setDirectory(weir.options().getDirectory());
    return Documents.open(vertx, options, weir.heap()).compose(this::openFactories);
  }

  /** One after another: each may have a field to index. */
  private Future<?> openFactories(Documents opened) {
    documents = opened;
    Future<?> last = Future.succeededFuture();
    for (Map.Entry<String, FactoryOptions> each : settings.factories().entrySet()) {
      last = last.compose(done -> opened.factory(each.getKey(), each.getValue()));
    }
    return last;
  }

  @Override
  public List<MeterBinder> meters() {
    return List.of(new DocumentMetrics(documents));
  }

  @Override
  public Future<?> bind(Metrics metrics) {
    return replicated.bind(metrics);
  }

  @Override
  public List<HealthCheck> checks() {
    return replicated == null ? List.of() : replicated.checks();
  }

  @Override
  public void mount(Gateway gateway) {
    gateway.mount(PATH, router -> DocumentRoutes.mount(router, documents));
  }

  @Override
  public Future<?> leave() {
    return replicated == null ? Future.succeededFuture() : replicated.leave();
  }

  /** Closes with its Vert.x instance, after the last answers. */
  @Override
  public void stop() {}
}
