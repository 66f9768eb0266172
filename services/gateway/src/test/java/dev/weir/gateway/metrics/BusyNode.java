package dev.weir.gateway.metrics;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Node;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.queue.Durability;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.Query;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A node on which something of each kind has happened: a service, its queue, a group. */
final class BusyNode implements AutoCloseable {
  static final String ADDRESS = "orders";
  static final String GROUP = "cars";
  static final String FACTORY = "parts";
  static final int REQUESTS = 5;
  static final int DURABLE = 3;

  final Node node;
  final Service service;

  BusyNode(Path directory) {
    node = Node.start(directory);
    service =
        node.serve(
            ADDRESS, new ServiceOptions(), message -> Future.succeededFuture(message.body()));
    for (int i = 0; i < REQUESTS; i++) {
      Futures.result("a request", node.vertx.eventBus().request(ADDRESS, "request " + i));
    }
    for (int i = 0; i < DURABLE; i++) {
      Futures.result("a send", node.weir.send(ADDRESS, "durable " + i, Durability.PROCESS));
    }
    Await.until("all is handled", () -> service.stats().completed() == REQUESTS + DURABLE);
    node.metrics.bind(new DocumentMetrics(documents()));
    ProcessorGroup group = node.group(GROUP);
    node.metrics.bind(new GroupMetrics(group));
    node.metrics.bind(new ShardMetrics(ADDRESS, () -> new ShardMetrics.Figures(3, 2, 5, 1)));
    node.health.add(new GroupCheck(group));
    Await.until("the group accepts", () -> group.stats().accepting());
    group.offer(1, 1, ByteBuffer.allocate(8), 0, 8);
    group.flush();
  }

  /** A store with one factory, two documents and a query; closed with the Vert.x of the node. */
  private Documents documents() {
    Documents documents =
        Futures.result(
            "the store of documents",
            Documents.open(node.vertx, new DocumentsOptions().setDirectory(null)));
    FactoryOptions indexed = new FactoryOptions().setPersisted(false).setIndexes(List.of("color"));
    DocumentFactory factory = Futures.result("a factory", documents.factory(FACTORY, indexed));
    Futures.result("a put", factory.put("a", new JsonObject()));
    Futures.result("another put", factory.put("b", new JsonObject()));
    Futures.result("a query", factory.query(new Query()));
    return documents;
  }

  Scrape scrape() {
    return new Scrape(node.scrape());
  }

  @Override
  public void close() {
    node.close();
  }
}
