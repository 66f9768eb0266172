package dev.weir.cluster.client;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A client in a process of its own that keeps its window full. Arguments: host:port, window,
 * requests. Prints one line: requests sent again, failed, replies per second, median latency in us.
 */
final class ClientStormChild {
  static final String DONE = "done ";
  private static final int BODY_BYTES = 330;

  private final ProcessorClient client;
  private final Buffer body = Buffer.buffer(new byte[BODY_BYTES]);
  private final CountDownLatch left;
  private final long[] latenciesNs;
  private int sent;
  private int ended;
  private int failed;

  private ClientStormChild(ProcessorClient client, int requests) {
    this.client = client;
    this.left = new CountDownLatch(requests);
    this.latenciesNs = new long[requests];
  }

  public static void main(String[] args) throws InterruptedException {
    int window = Integer.parseInt(args[1]);
    int requests = Integer.parseInt(args[2]);
    Vertx vertx = Vertx.vertx();
    ProcessorClient client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions()
                .setMembers(List.of(args[0]))
                .setWindow(window)
                .setSilenceMs(30_000));
    ClientStormChild storm = new ClientStormChild(client, requests);
    long startNs = System.nanoTime();
    for (int i = 0; i < Math.min(window, requests); i++) {
      storm.send();
    }
    storm.left.await();
    double seconds = (System.nanoTime() - startNs) / 1e9;
    Arrays.sort(storm.latenciesNs);
    System.out.printf(
        DONE + "%d %d %.0f %d%n",
        client.sentAgain(),
        storm.failed,
        requests / seconds,
        storm.latenciesNs[requests / 2] / 1000);
    System.exit(0);
  }

  private synchronized void send() {
    if (sent == latenciesNs.length) {
      return;
    }
    sent++;
    long startNs = System.nanoTime();
    client
        .send(body)
        .onComplete(
            reply -> {
              end(startNs, reply.failed());
              send();
            });
  }

  private synchronized void end(long startNs, boolean hasFailed) {
    latenciesNs[ended++] = System.nanoTime() - startNs;
    failed += hasFailed ? 1 : 0;
    left.countDown();
  }
}
