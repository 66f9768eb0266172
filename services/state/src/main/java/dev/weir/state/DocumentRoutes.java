package dev.weir.state;

import dev.weir.options.Checks;
import dev.weir.state.http.DocumentHandlers;
import io.vertx.ext.web.Router;

/**
 * The factories of a store over HTTP; needs {@code vertx-web}. docs/state.md lists the routes. They
 * have no access control of their own: put a handler of yours before them.
 */
public final class DocumentRoutes {
  private DocumentRoutes() {}

  /**
   * Adds the routes below {@code /documents/} to a router. Factories that are opened later are
   * served too.
   *
   * @param router not null; handlers before these may have read the body
   * @param documents not null
   */
  public static void mount(Router router, Documents documents) {
    new DocumentHandlers(Checks.notNull("documents", documents)::find)
        .mount(Checks.notNull("router", router));
  }
}
