package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.network.MemberAddress;
import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that knows only the old primary and repeats one request until that member answers. An
 * answer while another member is primary is a failure. The request is not a car, so the group does
 * not count it.
 */
final class OldPrimaryProbe implements AutoCloseable {
  private final ProcessorClient client;
  private final AtomicLong accepted = new AtomicLong();

  OldPrimaryProbe(Vertx vertx, MemberAddress member) {
    client =
        ProcessorClient.create(
            vertx, new ProcessorClientOptions().setMembers(List.of(member.clients())));
    client.send(Buffer.buffer(new byte[1])).onSuccess(reply -> accepted.incrementAndGet());
  }

  /** Replies that the probe got. */
  long accepted() {
    return accepted.get();
  }

  @Override
  public void close() {
    client.close();
  }
}
