package dev.weir.bench.persistence.documents;

import dev.weir.state.DocumentRoutes;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;

/** A process that serves documents in memory over HTTP, on one event loop. */
final class HttpDocumentsMain {
  private HttpDocumentsMain() {}

  /** The path below which the documents are. */
  static String path() {
    return "/documents/" + DocumentWork.PUT_MEMORY + "/";
  }

  /** Prints its port, and serves until the end of its standard input. */
  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    Documents documents =
        LocalDocuments.await(
            Documents.open(vertx, new DocumentsOptions().setDirectory(null)));
    DocumentWork work = DocumentWork.PUT_MEMORY;
    LocalDocuments.await(documents.factory(work.toString(), work.options()));
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        LocalDocuments.await(
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    System.out.println("PORT " + server.actualPort());
    while (System.in.read() >= 0) {
      // Nothing is asked for.
    }
    System.exit(0);
  }
}
