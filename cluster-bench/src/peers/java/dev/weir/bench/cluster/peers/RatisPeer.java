package dev.weir.bench.cluster.peers;

import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Three Apache Ratis servers, and a client of their group. */
final class RatisPeer implements PeerLog {
  private static final Duration START = Duration.ofSeconds(180);

  /** In 384 MiB the entries of a run filled the heap, and the leader was replaced. */
  private static final int HEAP_MIB = 1024;

  private static final long POLL_MS = 10;

  private final List<ChildJvm> servers = new ArrayList<>();
  private final RaftGroup group;
  private final RaftClient client;

  /**
   * Starts the servers and waits for a leader.
   *
   * @param forced whether an accepted body was forced to the device
   */
  RatisPeer(Path directory, boolean forced) throws IOException, InterruptedException {
    RatisPeerMain.quiet();
    int[] ports = Ports.free(RatisPeerMain.SERVERS);
    group = RatisPeerMain.group(ports);
    boolean opened = false;
    try {
      for (int i = 0; i < ports.length; i++) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(i));
        arguments.add(directory.resolve("s" + i).toString());
        arguments.add(Boolean.toString(forced));
        Arrays.stream(ports).mapToObj(Integer::toString).forEach(arguments::add);
        servers.add(ChildJvm.start(ChildFlags.of(HEAP_MIB), RatisPeerMain.class, arguments));
      }
      for (ChildJvm server : servers) {
        server.awaitLine(RatisPeerMain.READY, START);
      }
      // With short time-outs: it is answered when there is a leader.
      try (RaftClient first = client(new RaftProperties())) {
        first.io().sendReadOnly(Message.EMPTY);
      }
      client = client(RatisPeerMain.clientProperties());
      opened = true;
    } finally {
      if (!opened) {
        servers.forEach(ChildJvm::close);
      }
    }
  }

  private RaftClient client(RaftProperties properties) {
    return RaftClient.newBuilder().setRaftGroup(group).setProperties(properties).build();
  }

  @Override
  public CompletionStage<?> append(byte[] body) {
    return client
        .async()
        .send(Message.valueOf(UnsafeByteOperations.unsafeWrap(body)))
        .thenAccept(RatisPeer::check);
  }

  private static void check(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new CompletionException(reply.getException());
    }
  }

  /** A follower applies a body some time after the leader. */
  @Override
  public Verdict verify(SentBodies sent) throws Exception {
    Verdict verdict = Verdict.ok();
    for (RaftPeer server : group.getPeers()) {
      long endNs = System.nanoTime() + START.toNanos();
      String digest = digest(server);
      while (!digest.equals(sent.digest()) && System.nanoTime() - endNs < 0) {
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
        digest = digest(server);
      }
      verdict =
          verdict.unless(
              digest.equals(sent.digest()),
              server.getId() + " has " + digest + " of " + sent.digest());
    }
    return verdict;
  }

  private String digest(RaftPeer server) throws IOException {
    RaftClientReply reply = client.io().sendStaleRead(Message.EMPTY, 0, server.getId());
    return reply.getMessage().getContent().toStringUtf8();
  }

  @Override
  public void close() throws IOException {
    try {
      client.close();
    } finally {
      servers.forEach(ChildJvm::close);
    }
  }
}
