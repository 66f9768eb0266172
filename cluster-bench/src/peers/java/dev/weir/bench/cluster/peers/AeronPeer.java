package dev.weir.bench.cluster.peers;

import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.verify.Verdict;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Three Aeron Cluster nodes, and a client of theirs on a thread of its own. */
final class AeronPeer implements PeerLog {
  private static final Duration START = Duration.ofSeconds(180);
  private static final int HEAP_MIB = 256;
  private static final long KEEP_ALIVE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");

  /** A body, and what completes with its reply. */
  private record Request(byte[] body, CompletableFuture<Void> accepted) {}

  private final List<ChildJvm> nodes = new ArrayList<>();
  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final DataDirectory drivers;
  private final MediaDriver driver;
  private final AeronCluster client;
  private final Thread thread = new Thread(this::run, "bench-aeron-client");

  /** Requests without a reply, in order; only for the client's thread. */
  private final ArrayDeque<Request> sent = new ArrayDeque<>();

  private volatile boolean closing;

  /**
   * Starts the nodes and waits for a leader.
   *
   * @param syncLevel of the archives: 0 writes to the operating system, 1 forces to the device
   */
  AeronPeer(Path directory, int syncLevel) throws IOException, InterruptedException {
    drivers = DataDirectory.in(Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : directory);
    boolean opened = false;
    try {
      int[] ports = Ports.free(AeronPeerMain.NODES * AeronPeerMain.PORTS);
      for (int node = 0; node < AeronPeerMain.NODES; node++) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Integer.toString(node));
        arguments.add(directory.resolve("n" + node).toString());
        arguments.add(drivers.path().resolve("n" + node).toString());
        arguments.add(Integer.toString(syncLevel));
        Arrays.stream(ports).mapToObj(Integer::toString).forEach(arguments::add);
        nodes.add(ChildJvm.start(ChildFlags.of(HEAP_MIB), AeronPeerMain.class, arguments));
      }
      for (ChildJvm node : nodes) {
        node.awaitLine(AeronPeerMain.READY, START);
      }
      driver =
          MediaDriver.launch(
              new MediaDriver.Context()
                  .aeronDirectoryName(drivers.path().resolve("client").toString())
                  .threadingMode(ThreadingMode.SHARED));
      client = connect(ports);
      opened = true;
    } finally {
      if (!opened) {
        closeNodes();
      }
    }
    thread.setDaemon(true);
    thread.start();
  }

  private AeronCluster connect(int[] ports) {
    List<String> ingress = new ArrayList<>();
    for (int node = 0; node < AeronPeerMain.NODES; node++) {
      ingress.add(node + "=" + AeronPeerMain.HOST + ports[node * AeronPeerMain.PORTS]);
    }
    return AeronCluster.connect(
        new AeronCluster.Context()
            .aeronDirectoryName(driver.aeronDirectoryName())
            .ingressChannel("aeron:udp")
            .ingressEndpoints(String.join(",", ingress))
            .egressChannel("aeron:udp?endpoint=" + AeronPeerMain.HOST + 0)
            .messageTimeoutNs(START.toNanos())
            .egressListener(
                (session, timestamp, buffer, offset, length, header) ->
                    sent.remove().accepted.complete(null)));
  }

  @Override
  public CompletionStage<?> append(byte[] body) {
    Request request = new Request(body, new CompletableFuture<>());
    requests.add(request);
    return request.accepted;
  }

  private void run() {
    IdleStrategy idle = new BackoffIdleStrategy();
    UnsafeBuffer buffer = new UnsafeBuffer();
    long aliveNs = System.nanoTime();
    while (!closing) {
      int work = client.pollEgress();
      Request next = requests.peek();
      if (next != null) {
        buffer.wrap(next.body);
        long position = client.offer(buffer, 0, next.body.length);
        if (position > 0) {
          sent.add(requests.remove());
          work++;
        } else if (position == Publication.CLOSED) {
          requests.remove().accepted.completeExceptionally(new IOException("closed"));
        }
      }
      if (System.nanoTime() - aliveNs > KEEP_ALIVE_NS) {
        client.sendKeepAlive();
        aliveNs = System.nanoTime();
      }
      idle.idle(work);
    }
    client.close();
  }

  /** Every node handles the message of one byte behind all bodies. */
  @Override
  public Verdict verify(SentBodies bodies) throws Exception {
    append(new byte[1]);
    Verdict verdict = Verdict.ok();
    for (int node = 0; node < nodes.size(); node++) {
      String digest = nodes.get(node).awaitLine(AeronPeerMain.DIGEST, START);
      verdict =
          verdict.unless(
              digest.equals(bodies.digest()),
              "node " + node + " has " + digest + " of " + bodies.digest());
    }
    return verdict;
  }

  @Override
  public void close() throws IOException {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    driver.close();
    closeNodes();
  }

  private void closeNodes() throws IOException {
    nodes.forEach(ChildJvm::close);
    drivers.close();
  }
}
