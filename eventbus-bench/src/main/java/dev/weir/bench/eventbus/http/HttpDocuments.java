package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.state.DocumentFactory;
import dev.weir.state.DocumentRoutes;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;

/** Documents in memory behind routes of their own, on the event loop of the servers. */
final class HttpDocuments {
  private static final String FACTORY = "states";

  private final Documents documents;
  private final DocumentFactory factory;
  private final HttpServer server;
  private final long created;

  private HttpDocuments(
      Documents documents, DocumentFactory factory, HttpServer server, int created) {
    this.documents = documents;
    this.factory = factory;
    this.server = server;
    this.created = created;
  }

  /** Opens the server with so many documents, blocking the caller. */
  static HttpDocuments open(HttpFixture fixture, int count) throws InterruptedException {
    Vertx vertx = fixture.fixture().vertx();
    Documents documents =
        ServiceFixture.await(Documents.open(vertx, new DocumentsOptions().setDirectory(null)));
    DocumentFactory factory =
        ServiceFixture.await(documents.factory(FACTORY, new FactoryOptions().setPersisted(false)));
    for (int i = 0; i < count; i++) {
      ServiceFixture.await(factory.create(Integer.toString(i), new JsonObject()));
    }
    HttpServer server =
        ServiceFixture.await(ServiceFixture.call(fixture.server(), () -> listen(vertx, documents)));
    return new HttpDocuments(documents, factory, server, count);
  }

  private static Future<HttpServer> listen(Vertx vertx, Documents documents) {
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    return vertx.createHttpServer().requestHandler(router).listen(0, HttpFixture.HOST);
  }

  int port() {
    return server.actualPort();
  }

  /** The path below which the documents are, by numbers from 0. */
  static String path() {
    return "/documents/" + FACTORY + "/";
  }

  /** Puts that were answered. */
  long puts() {
    return factory.stats().operations() - created;
  }

  void close() throws InterruptedException {
    ServiceFixture.await(server.close());
    ServiceFixture.await(documents.close());
  }
}
