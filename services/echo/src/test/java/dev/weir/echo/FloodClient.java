package dev.weir.echo;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that floods an echo program with bodies of one size, and prints how its requests ended:
 * {@code flood: {200=17, broken=4} causes {...}}. What ends without an answer is {@code broken}.
 */
final class FloodClient {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int PER_WEB_SOCKET = 20;

  /** Of all WebSockets together: a message that is written is copied, and waits in the client. */
  private static final long UNANSWERED_BYTES = 256 << 20;

  private static final int STREAMS_PER_CONNECTION = 50;
  private static final int TIMEOUT_MS = 60_000;

  /** How requests end, by status, with their numbers. */
  private final Map<String, Integer> ends = new TreeMap<>();

  /** Why requests ended without an answer, with their numbers. */
  private final Map<String, Integer> causes = new TreeMap<>();

  private final int port;
  private final String path;
  private final byte[] body;
  private final long seconds;

  /** How many requests a WebSocket has unanswered. */
  private int perWebSocket;

  /** From the first end of a request on: how long a start takes says nothing. */
  private long endNs;

  private FloodClient(int port, String path, int bodyBytes, long seconds) {
    this.port = port;
    this.path = path;
    this.body = "x".repeat(bodyBytes).getBytes(StandardCharsets.US_ASCII);
    this.seconds = seconds;
  }

  /** Arguments: protocol, port, path, bytes of a body, connections, seconds. */
  public static void main(String[] args) throws Exception {
    FloodClient client =
        new FloodClient(
            Integer.parseInt(args[1]), args[2], Integer.parseInt(args[3]), Long.parseLong(args[5]));
    int connections = Integer.parseInt(args[4]);
    switch (args[0]) {
      case "http1" -> client.http1(connections);
      case "http2" -> client.http2(connections);
      default -> client.webSockets(connections);
    }
    synchronized (client.ends) {
      System.out.println("flood: " + client.ends + " causes " + client.causes);
    }
    System.exit(0);
  }

  private boolean isOver() {
    synchronized (ends) {
      return !ends.isEmpty() && System.nanoTime() - endNs > 0;
    }
  }

  private void ended(String how) {
    synchronized (ends) {
      if (ends.isEmpty()) {
        endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      }
      ends.merge(how, 1, Integer::sum);
    }
  }

  private void broken(Throwable cause) {
    synchronized (ends) {
      ended("broken");
      causes.merge(String.valueOf(cause), 1, Integer::sum);
    }
  }

  // ---- HTTP/1, with a thread and a socket for each connection

  private void http1(int connections) throws InterruptedException {
    Thread[] threads = new Thread[connections];
    for (int i = 0; i < connections; i++) {
      // One in four does not say how long its body is.
      boolean chunked = i % 4 == 3;
      threads[i] = new Thread(null, () -> connections(chunked), "connection-" + i, 128 << 10);
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void connections(boolean chunked) {
    while (!isOver()) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setSoTimeout(TIMEOUT_MS);
        // Or a body waits until its head is acknowledged, which the other side delays by 40 ms.
        socket.setTcpNoDelay(true);
        requests(socket, chunked);
      } catch (IOException e) {
        broken(e);
      }
    }
  }

  private void requests(Socket socket, boolean chunked) throws IOException {
    boolean open = true;
    while (open && !isOver()) {
      try {
        write(socket.getOutputStream(), chunked);
      } catch (IOException refusedWhileItSends) {
        open = false;
      }
      open &= read(socket.getInputStream());
    }
  }

  private void write(OutputStream out, boolean chunked) throws IOException {
    String length = chunked ? "Transfer-Encoding: chunked" : "Content-Length: " + body.length;
    ascii(out, "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n\r\n");
    for (int i = 0; i < body.length; i += PIECE_BYTES) {
      int piece = Math.min(PIECE_BYTES, body.length - i);
      if (chunked) {
        ascii(out, Integer.toHexString(piece) + "\r\n");
      }
      out.write(body, i, piece);
      if (chunked) {
        ascii(out, "\r\n");
      }
    }
    if (chunked) {
      ascii(out, "0\r\n\r\n");
    }
  }

  private static void ascii(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads a response; false if the connection ends with it. */
  private boolean read(InputStream in) throws IOException {
    String status = line(in);
    long length = 0;
    boolean open = true;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String lower = header.toLowerCase(java.util.Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(lower.substring("content-length:".length()).trim());
      }
      open &= !lower.equals("connection: close");
    }
    in.skipNBytes(length);
    ended(status.split(" ")[1]);
    return open;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ends in a response");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  // ---- HTTP/2, many streams on a connection

  private void http2(int streams) throws InterruptedException {
    Vertx vertx = Vertx.vertx();
    int connections = Math.max(1, streams / STREAMS_PER_CONNECTION);
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setDefaultHost("127.0.0.1")
                .setDefaultPort(port),
            new PoolOptions().setHttp2MaxSize(connections));
    CountDownLatch done = new CountDownLatch(streams);
    Buffer bytes = Buffer.buffer(body);
    for (int i = 0; i < streams; i++) {
      stream(client, bytes, done);
    }
    done.await();
  }

  private void stream(HttpClient client, Buffer bytes, CountDownLatch done) {
    if (isOver()) {
      done.countDown();
      return;
    }
    client
        .request(HttpMethod.POST, path)
        .compose(
            request -> {
              request.setChunked(true).idleTimeout(TIMEOUT_MS);
              return request.send(bytes);
            })
        .compose(response -> response.end().map(response.statusCode()))
        .onComplete(
            end -> {
              if (end.succeeded()) {
                ended(String.valueOf(end.result()));
              } else {
                broken(end.cause());
              }
              stream(client, bytes, done);
            });
  }

  // ---- WebSockets, many requests on each

  private void webSockets(int sockets) throws InterruptedException {
    long perSocket = UNANSWERED_BYTES / sockets / body.length;
    perWebSocket = (int) Math.max(2, Math.min(PER_WEB_SOCKET, perSocket));
    Vertx vertx = Vertx.vertx();
    WebSocketClient client =
        vertx.createWebSocketClient(
            new WebSocketClientOptions()
                .setMaxConnections(sockets)
                .setMaxMessageSize(64 << 20)
                .setMaxFrameSize(64 << 20));
    CountDownLatch done = new CountDownLatch(sockets);
    for (int i = 0; i < sockets; i++) {
      socket(client, done);
    }
    done.await();
  }

  private void socket(WebSocketClient client, CountDownLatch done) {
    if (isOver()) {
      done.countDown();
      return;
    }
    client
        .connect(port, "127.0.0.1", path + "/ws")
        .onComplete(
            connected -> {
              if (connected.succeeded()) {
                new Requests(connected.result(), client, done).start();
              } else {
                if (connected.cause() instanceof UpgradeRejectedException refused) {
                  ended(String.valueOf(refused.getStatus()));
                } else {
                  broken(connected.cause());
                }
                socket(client, done);
              }
            });
  }

  /** The requests of one socket. */
  private final class Requests {
    private final WebSocket socket;
    private final WebSocketClient client;
    private final CountDownLatch done;
    private final AtomicInteger unanswered = new AtomicInteger();
    private int next;

    Requests(WebSocket socket, WebSocketClient client, CountDownLatch done) {
      this.socket = socket;
      this.client = client;
      this.done = done;
    }

    void start() {
      socket.binaryMessageHandler(reply -> answered("200"));
      socket.textMessageHandler(
          text -> {
            JsonObject problem = new JsonObject(text).getJsonObject("problem");
            answered(problem == null ? "200" : String.valueOf(problem.getInteger("status")));
          });
      socket.closeHandler(
          closed -> {
            for (int i = 0; i < unanswered.get(); i++) {
              ended("closed with " + socket.closeStatusCode());
            }
            socket(client, done);
          });
      for (int i = 0; i < perWebSocket; i++) {
        send();
      }
    }

    private void send() {
      byte[] head = new JsonObject().put("id", next++).toBuffer().getBytes();
      unanswered.incrementAndGet();
      socket.writeBinaryMessage(
          Buffer.buffer().appendUnsignedShort(head.length).appendBytes(head).appendBytes(body));
    }

    private void answered(String how) {
      unanswered.decrementAndGet();
      ended(how);
      if (!isOver()) {
        send();
      } else if (unanswered.get() == 0) {
        socket.close();
      }
    }
  }
}
