package dev.weir.state;

import dev.weir.options.Checks;
import dev.weir.state.http.DocumentHandlers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

/**
 * The factories of a store over HTTP; needs {@code vertx-web}. docs/state.md lists the routes. They
 * have no access control of their own: put a handler of yours before them.
 */
public final class DocumentRoutes {
  private DocumentRoutes() {}

  /**
   * Adds the routes below {@code /documents} to a router. Bodies count against {@link
   * DocumentsOptions#setInFlightBytes} while they are read. Factories that are opened later are
   * served too.
   *
   * @param router not null; handlers before these may have read the body
   * @param documents not null
   */
  public static void mount(Router router, Documents documents) {
    Checks.notNull("documents", documents);
    new DocumentHandlers(
            documents::calls,
            () -> figures(documents),
            documents.inFlightBudget(),
            documents.outgrownBudget())
        .mount(Checks.notNull("router", router));
  }

  private static JsonObject figures(Documents documents) {
    DocumentsStats stats = documents.stats();
    JsonArray factories = new JsonArray();
    documents.factories().forEach(factory -> factories.add(figures(factory)));
    return new JsonObject()
        .put("residentBytes", stats.residentBytes())
        .put("residentLimitBytes", stats.residentLimitBytes())
        .put("memoryBytes", stats.memoryBytes())
        .put("memoryLimitBytes", stats.memoryLimitBytes())
        .put("inFlightBytes", stats.inFlightBytes())
        .put("inFlightLimitBytes", stats.inFlightLimitBytes())
        .put("evictions", stats.evictions())
        .put("commits", stats.commits())
        .put("changes", stats.changes())
        .put("streams", stats.streams())
        .put("fault", stats.fault() == null ? null : stats.fault().name())
        .put("factories", factories);
  }

  private static JsonObject figures(DocumentFactory factory) {
    FactoryStats stats = factory.stats();
    FactoryOptions options = factory.options();
    return new JsonObject()
        .put("name", factory.name())
        .put("persisted", options.isPersisted())
        .put("indexes", new JsonArray(options.getIndexes()))
        .put("operations", stats.operations())
        .put("failed", stats.failed())
        .put("reads", stats.reads())
        .put("hitRate", hitRate(stats))
        .put("documents", stats.documents())
        .put("residentDocuments", known(stats.residentDocuments()))
        .put("pausedDocuments", known(stats.pausedDocuments()))
        .put("heapBytes", stats.heapBytes());
  }

  /** Null if it is not known. */
  private static Long known(long figure) {
    return figure < 0 ? null : figure;
  }

  /**
   * The part of the operations that found their key in memory; null before the first, and if it is
   * not known.
   */
  private static Double hitRate(FactoryStats stats) {
    return stats.operations() == 0 || stats.loads() < 0
        ? null
        : Math.max(0, 1 - (double) stats.loads() / stats.operations());
  }
}
