package dev.weir.documents;

import dev.weir.flow.Weir;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.metrics.DocumentMetrics;
import dev.weir.launcher.LaunchedService;
import dev.weir.state.DocumentRoutes;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** A store of documents, over HTTP below {@value #PATH} and on the event bus. */
final class DocumentStore implements LaunchedService {
  static final String PATH = "/documents";

  /** Of the heap; the gateway has most of what is left. */
  private static final int HEAP_PERCENT = 40;

  private StoreSettings settings = StoreSettings.DEFAULT;

  /** Null before the start. */
  private volatile Documents documents;

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
  public Future<?> start(Vertx vertx, Weir weir) {
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
  public void mount(Gateway gateway) {
    gateway.mount(PATH, router -> DocumentRoutes.mount(router, documents));
  }

  /** Closes with its Vert.x instance, after the last answers. */
  @Override
  public void stop() {}
}
