package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.function.ObjIntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that replaces documents over HTTP, with one request at a time on each of its
 * connections. Whole requests are made before; of an answer only its status and length are looked at.
 * How much of the machine this client takes is not measured, so it may limit both sides.
 */
final class HttpPuts implements DocumentLoop {
  static final int CONNECTIONS = 64;

  private static final String HOST = "127.0.0.1";
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

  /** Of weir-state the tag, of Xenon a member of the document. */
  private static final Pattern VERSION =
      Pattern.compile("(?i)\r\netag: *\"(\\d+)\"|\"documentVersion\": *(\\d+)");

  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private final SeedParameters parameters = SeedParameters.ofSystem();
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final Context loop = vertx.getOrCreateContext();
  private final Buffer[] puts = new Buffer[parameters.documents()];
  private final int port;
  private final String path;

  /** Connections without a request; used on the loop. */
  private final ArrayDeque<Connection> idle = new ArrayDeque<>();

  private long sent;

  private HttpPuts(int port, String path) throws Exception {
    this.port = port;
    this.path = path;
    String body = "{\"text\":\"" + "x".repeat(LocalDocuments.JSON_BYTES - 11) + "\"}";
    for (int i = 0; i < puts.length; i++) {
      puts[i] = request("PUT", i, body);
    }
    Promise<Void> connected = Promise.promise();
    loop.runOnContext(start -> connect(connected));
    LocalDocuments.await(connected.future());
  }

  /**
   * Runs until the end of its standard input.
   *
   * @param args port and path of the server
   */
  public static void main(String[] args) throws Exception {
    try (HttpPuts puts = new HttpPuts(Integer.parseInt(args[0]), args[1])) {
      DocumentsMain.serve(puts);
    }
  }

  private Buffer request(String method, int document, String body) {
    return Buffer.buffer(
        method
            + " "
            + path
            + document
            + " HTTP/1.1\r\nHost: "
            + HOST
            + ":"
            + port
            + "\r\nAccept: application/json\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private void connect(Promise<Void> connected) {
    NetClient client = vertx.createNetClient();
    for (int i = 0; i < CONNECTIONS; i++) {
      client
          .connect(port, HOST)
          .onFailure(connected::tryFail)
          .onSuccess(
              socket -> {
                idle.add(new Connection(socket));
                if (idle.size() == CONNECTIONS) {
                  connected.complete();
                }
              });
    }
  }

  @Override
  public RoundResult round(DocumentWork work, long operations) throws InterruptedException {
    Load load = Load.of(operations).idleTimeout(parameters.idleTimeout(Load.DEFAULT_IDLE_TIMEOUT));
    return new ClosedLoop(this::send, load, ClosedLoop.inFlight(CONNECTIONS, operations))
        .run(task -> loop.runOnContext(any -> task.run()));
  }

  private void send(long operation, long startNs, ReplySink sink) {
    Buffer put = puts[(int) (sent++ % puts.length)];
    idle.poll()
        .exchange(
            put,
            (answer, status) -> {
              if (status == 200 || status == 201) {
                sink.onReply(operation, startNs, Reply.OK);
              } else {
                sink.onFailure(operation, startNs, new IOException("status " + status));
              }
            });
  }

  /** Whether each put was applied once. */
  @Override
  public Verdict verdict(DocumentWork work) throws Exception {
    Verdict verdict = Verdict.ok();
    for (int i = 0; i < puts.length; i++) {
      long expected = sent / puts.length + (i < sent % puts.length ? 1 : 0);
      Buffer get = request("GET", i, "");
      Promise<String> answered = Promise.promise();
      loop.runOnContext(
          start -> idle.poll().exchange(get, (answer, status) -> answered.complete(answer.toString())));
      String answer = LocalDocuments.await(answered.future());
      Matcher version = VERSION.matcher(answer);
      String found =
          version.find() ? version.group(1) == null ? version.group(2) : version.group(1) : "none";
      verdict =
          verdict.unless(
              found.equals("" + expected),
              "document " + i + " has " + found + " of " + expected + " puts");
    }
    return verdict;
  }

  @Override
  public void close() throws IOException {
    LocalDocuments.close(vertx);
  }

  /** A connection with one request at a time. */
  private final class Connection {
    private final NetSocket socket;
    private Buffer in = Buffer.buffer();
    private ObjIntConsumer<Buffer> waiting;

    Connection(NetSocket socket) {
      this.socket = socket;
      socket.handler(this::read);
    }

    /**
     * @param answered gets the whole answer and its status
     */
    void exchange(Buffer request, ObjIntConsumer<Buffer> answered) {
      waiting = answered;
      socket.write(request);
    }

    private void read(Buffer more) {
      in.appendBuffer(more);
      String text = in.toString(StandardCharsets.ISO_8859_1);
      int headEnd = text.indexOf("\r\n\r\n");
      if (headEnd < 0) {
        return;
      }
      Matcher length = LENGTH.matcher(text).region(0, headEnd);
      int bytes = length.find() ? Integer.parseInt(length.group(1)) : 0;
      if (in.length() < headEnd + 4 + bytes) {
        return;
      }
      Buffer answer = in;
      in = Buffer.buffer();
      ObjIntConsumer<Buffer> done = waiting;
      waiting = null;
      idle.add(this);
      done.accept(answer, Integer.parseInt(text.substring(STATUS_AT, STATUS_AT + 3)));
    }
  }
}
