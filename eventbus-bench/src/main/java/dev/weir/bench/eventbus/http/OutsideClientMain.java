package dev.weir.bench.eventbus.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 client in a process of its own: one thread, kept connections to each target, one
 * request at a time on each, without any library, so that it takes less of a CPU than any server.
 * It runs a round for each line of its standard input, which is the number of a target, and prints
 * a line with the result.
 */
public final class OutsideClientMain {
  /** What a line with the result of a round begins with. */
  static final String ROUND = "ROUND";

  private final Selector selector = Selector.open();
  private final long roundNs;
  private final Exchange[] connections;
  private final long burnNs;
  private long idleNs;
  private long sent;
  private long failed;
  private String firstFailure;

  /** Connects to one target. */
  private OutsideClientMain(JsonObject plan) throws IOException {
    this.roundNs = TimeUnit.MILLISECONDS.toNanos(plan.getLong("roundMs"));
    this.burnNs = TimeUnit.MICROSECONDS.toNanos(plan.getInteger("burnUs"));
    this.connections = new Exchange[plan.getInteger("connections")];
    for (int i = 0; i < connections.length; i++) {
      SocketChannel channel =
          SocketChannel.open(new InetSocketAddress("127.0.0.1", plan.getInteger("port")));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      connections[i] = new Exchange(channel, request(plan, i), plan.getInteger("status"));
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
   *     burnUs}; with {@code method} if that is not POST, and with {@code numbered} if the number
   *     of the connection ends the path
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

  private static byte[] request(JsonObject plan, int connection) {
    HttpBody kind = HttpBody.valueOf(plan.getString("body"));
    Buffer body = (Buffer) kind.bodies(plan.getInteger("bytes")).take(0);
    String head =
        plan.getString("method", "POST")
            + " "
            + plan.getString("path")
            + (plan.getBoolean("numbered", false) ? connection : "")
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
            + kind.mediaType()
            + "\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n";
    return Buffer.buffer(head).appendBuffer(body).getBytes();
  }

  private JsonObject round() throws IOException {
    long before = sent;
    long failedBefore = failed;
    long startNs = System.nanoTime();
    long startCpuNs = cpuNs();
    idleNs = 0;
    long endNs = startNs + roundNs;
    for (Exchange connection : connections) {
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
        Exchange exchange = (Exchange) key.attachment();
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

  private void send(Exchange exchange) throws IOException {
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

  private void judge(Exchange exchange) {
    String problem = exchange.problem();
    if (problem != null) {
      failed++;
      firstFailure = firstFailure == null ? problem : firstFailure;
    }
  }

  private static long cpuNs() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** A connection with a request that is not answered. */
  private static final class Exchange {
    private static final int ANSWER_BYTES = 16 << 10;
    private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length: ";

    private final SocketChannel channel;
    private final ByteBuffer request;
    private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    private final String status;
    private int headEnd;
    private int end;

    Exchange(SocketChannel channel, byte[] request, int status) {
      this.channel = channel;
      this.request = ByteBuffer.allocateDirect(request.length).put(request);
      this.status = "HTTP/1.1 " + status;
    }

    /** A request is smaller than the buffer of a socket, so one that does not fit is a fault. */
    void send() throws IOException {
      answer.clear();
      headEnd = -1;
      request.flip();
      channel.write(request);
      if (request.hasRemaining()) {
        throw new IOException("a request does not fit into the buffer of its socket");
      }
    }

    /** Whether the answer is complete. */
    boolean read() throws IOException {
      if (channel.read(answer) < 0) {
        throw new IOException("the server has closed the connection");
      }
      if (headEnd < 0) {
        headEnd = headEnd();
        end = headEnd < 0 ? Integer.MAX_VALUE : headEnd + HEAD_END.length + contentLength();
      }
      return answer.position() >= end;
    }

    private int headEnd() {
      for (int at = 0; at <= answer.position() - HEAD_END.length; at++) {
        if (answer.get(at) == '\r' && answer.get(at + 2) == '\r') {
          return at;
        }
      }
      return -1;
    }

    private int contentLength() {
      for (int at = 0; at < headEnd; at++) {
        if (answer.get(at) == '\n' && isLengthAt(at + 1)) {
          int length = 0;
          for (int i = at + 1 + LENGTH.length(); answer.get(i) != '\r'; i++) {
            length = 10 * length + answer.get(i) - '0';
          }
          return length;
        }
      }
      return 0;
    }

    private boolean isLengthAt(int at) {
      for (int i = 0; i < LENGTH.length(); i++) {
        if (Character.toLowerCase((char) answer.get(at + i)) != LENGTH.charAt(i)) {
          return false;
        }
      }
      return true;
    }

    /** What is wrong with the answer; null if nothing is. */
    String problem() {
      for (int i = 0; i < status.length(); i++) {
        if (answer.get(i) != status.charAt(i)) {
          return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8);
        }
      }
      return null;
    }
  }
}
