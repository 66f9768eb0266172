package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.client.ProcessorClient;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that knows one member only, the old primary, and asks it again and again: it must not
 * get a reply while another is primary. What it sends is no car, so it would not be counted as one.
 */
final class Intruder implements AutoCloseable {
  private final ProcessorClient client;
  private final AtomicLong accepted = new AtomicLong();

  Intruder(Vertx vertx, MemberAddress member) {
    client =
        ProcessorClient.create(
            vertx, new ProcessorClientOptions().setMembers(List.of(member.clients())));
    client.send(Buffer.buffer(new byte[1])).onSuccess(reply -> accepted.incrementAndGet());
  }

  /** Replies it got. */
  long accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    client.close();
  }
}
