package dev.weir.bench.eventbus.http;

import dev.weir.state.DocumentBody;
import dev.weir.state.DocumentFormat;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client of HTTP/1.1 and WebSockets in a process of its own: one thread, kept connections to each
 * target, one request at a time on each, without any library, so that it takes less of a CPU than
 * any server. It runs a round for each line of its standard input, which is the number of a target,
 * and prints a line with the result.
 */
public final class OutsideClientMain {
  /** What a line with the result of a round begins with. */
  static final String ROUND = "ROUND";

  private final Selector selector = Selector.open();
  private final long roundNs;
  private final OutsideExchange[] connections;
  private final long burnNs;
  private long idleNs;
  private long sent;
  private long failed;
  private String firstFailure;

  /** Connects to one target. */
  private OutsideClientMain(JsonObject plan) throws IOException {
    this.roundNs = TimeUnit.MILLISECONDS.toNanos(plan.getLong("roundMs"));
    this.burnNs = TimeUnit.MICROSECONDS.toNanos(plan.getInteger("burnUs"));
    this.connections = new OutsideExchange[plan.getInteger("connections")];
    for (int i = 0; i < connections.length; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress("127.0.0.1", plan.getInteger("port")));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      connections[i] = exchange(channel, plan, i);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, connections[i]);
    }
  }

  /** A target: where requests go, what they carry, and the status of their answers. */
  static JsonObject target(int port, String path, HttpBody body, int bytes, int status) {
    return new JsonObject()
        .put("port", port)
        .put("path", path)
        .put("body", body.name())
        .put("bytes", bytes)
        .put("status", status);
  }

  /**
   * Runs until the end of its standard input.
   *
   * @param args the targets as JSON, each with {@code connections}, {@code roundMs} and {@code
   *     burnUs}; with {@code method} if that is not POST, with {@code numbered} if the number of
   *     the connection ends the path, with {@code cbor} if the body is a document in that form, and
   *     with {@code webSocket} if each connection becomes one
   */
  public static void main(String[] args) throws IOException {
    List<OutsideClientMain> targets = new ArrayList<>();
    for (String target : args) {
      targets.add(new OutsideClientMain(new JsonObject(target)));
    }
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println(ROUND + " " + targets.get(Integer.parseInt(line)).round().encode());
    }
  }

  private static OutsideExchange exchange(SocketChannel channel, JsonObject plan, int connection)
      throws IOException {
    HttpBody kind = HttpBody.valueOf(plan.getString("body"));
    int bytes = plan.getInteger("bytes");
    boolean cbor = plan.getBoolean("cbor", false);
    Buffer body = cbor ? cbor(bytes) : (Buffer) kind.bodies(bytes).take(0);
    String path = plan.getString("path") + (plan.getBoolean("numbered", false) ? connection : "");
    if (plan.getBoolean("webSocket", false)) {
      return WebSocketExchange.open(channel, path, body);
    }
    String head =
        plan.getString("method", "POST")
            + " "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
            + (cbor ? DocumentFormat.CBOR.mediaType() : kind.mediaType())
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    byte[] request = Buffer.buffer(head).appendBuffer(body).getBytes();
    return new HttpExchange(channel, request, plan.getInteger("status"));
  }

  /** The document that has so many bytes as JSON. */
  private static Buffer cbor(int bytes) {
    Buffer json = (Buffer) HttpBody.JSON.bodies(bytes).take(0);
    return DocumentBody.of(new JsonObject(json), DocumentFormat.CBOR).buffer();
  }

  private JsonObject round() throws IOException {
    long before = sent;
    long failedBefore = failed;
    long startNs = System.nanoTime();
    long startCpuNs = cpuNs();
    idleNs = 0;
    long endNs = startNs + roundNs;
    for (OutsideExchange connection : connections) {
      send(connection);
    }
    int open = connections.length;
    while (open > 0) {
      long idleFromNs = System.nanoTime();
      selector.select(TimeUnit.SECONDS.toMillis(30));
      idleNs += System.nanoTime() - idleFromNs;
      if (selector.selectedKeys().isEmpty()) {
        throw new IOException("no answer for 30 s");
      }
      boolean over = System.nanoTime() - endNs >= 0;
      for (SelectionKey key : selector.selectedKeys()) {
        OutsideExchange exchange = (OutsideExchange) key.attachment();
        if (exchange.read()) {
          judge(exchange);
          if (over) {
            open--;
          } else {
            send(exchange);
          }
        }
      }
      selector.selectedKeys().clear();
    }
    return new JsonObject()
        .put("requests", sent - before)
        .put("failed", failed - failedBefore)
        .put("firstFailure", firstFailure)
        .put("elapsedNs", System.nanoTime() - startNs)
        .put("idleNs", idleNs)
        .put("cpuNs", cpuNs() - startCpuNs);
  }

  private void send(OutsideExchange exchange) throws IOException {
    sent++;
    if (burnNs > 0) {
      burn();
    }
    exchange.send();
  }

  private void burn() {
    long endNs = System.nanoTime() + burnNs;
    while (System.nanoTime() - endNs < 0) {
      Thread.onSpinWait();
    }
  }

  private void judge(OutsideExchange exchange) {
    String problem = exchange.problem();
    if (problem != null) {
      failed++;
      firstFailure = firstFailure == null ? problem : firstFailure;
    }
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
