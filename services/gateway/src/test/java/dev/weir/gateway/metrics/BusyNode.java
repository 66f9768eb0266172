package dev.weir.gateway.metrics;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.Node;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A node on which something of each kind has happened: a service, its queue, a group. */
final class BusyNode implements AutoCloseable {
  static final String ADDRESS = "orders";
  static final String GROUP = "cars";
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
    ProcessorGroup group = node.group(GROUP);
    node.metrics.bind(new GroupMetrics(group));
    node.health.add(new GroupCheck(group));
    Await.until("the group accepts", () -> group.stats().accepting());
    group.offer(1, 1, ByteBuffer.allocate(8), 0, 8);
    group.flush();
  }

  Scrape scrape() {
    return new Scrape(node.scrape());
  }

  @Override
  public void close() {
    node.close();
  }
}
