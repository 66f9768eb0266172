package dev.weir.bench.eventbus.http;

import dev.weir.bench.Measurement;
import dev.weir.bench.Profile;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.fixture.RequestPath;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Doubts;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** What the gateway and a bare server do for a client in a process of its own. */
public final class OutsideHttpScenario implements Scenario {
  static final String NAME = "http-outside";

  /** Setting: microseconds that the client wastes before each request, to see that this shows. */
  static final String BURN_US = "outside.burn.us";

  private static final int MOST_BURN_US = 1_000_000;
  private static final int CONNECTIONS = 64;
  private static final int PREHEAT_PASSES = 12;

  /** How long the client sends to a server; a round of the harness has as many as it needs. */
  private static final int PASS_MS = 100;

  private static final long HANDLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

  /** What a request asks for, from the floor up. */
  enum Work {
    /** A bare Vert.x server answers. */
    BARE("bare", HttpProtocol.HTTP1, HttpBody.JSON, false),
    /** A service gets the bytes. */
    BYTES("gateway", HttpProtocol.HTTP1, HttpBody.BINARY, false),
    /** A service gets a JSON object. */
    JSON("gateway", HttpProtocol.HTTP1, HttpBody.JSON, false),
    /** The gateway answers when the event is written to the operating system. */
    EVENT("gateway-events", HttpProtocol.HTTP1, HttpBody.BINARY, false),
    /** A document in memory is replaced; the answer is the document. */
    DOCUMENT("documents", HttpProtocol.HTTP1, HttpBody.JSON, false),
    /** The same document as CBOR. */
    DOCUMENT_CBOR("documents-cbor", HttpProtocol.HTTP1, HttpBody.BINARY, false),
    /** A bare Vert.x server answers with the body. */
    BARE_TWO_WAY("bare", HttpProtocol.HTTP1, HttpBody.JSON, true),
    /** A service gets a JSON object and answers with it. */
    JSON_TWO_WAY("gateway", HttpProtocol.HTTP1, HttpBody.JSON, true),
    /** A service gets the text of JSON as bytes and answers with them. */
    TEXT_TWO_WAY("gateway-text", HttpProtocol.HTTP1, HttpBody.JSON, true),
    /** A bare Vert.x server answers the messages of WebSockets. */
    BARE_WEB_SOCKET("bare", HttpProtocol.WEBSOCKET, HttpBody.BINARY, false),
    /** A service gets the bytes of a message. */
    WEB_SOCKET("gateway", HttpProtocol.WEBSOCKET, HttpBody.BINARY, false);

    private final String path;
    private final HttpCase httpCase;

    Work(String path, HttpProtocol protocol, HttpBody body, boolean twoWay) {
      this.path = path;
      this.httpCase = new HttpCase(protocol, body, twoWay, HttpCase.STATE_BYTES);
    }

    private boolean isBare() {
      return path.equals(BARE.path);
    }

    private boolean isDocument() {
      return this == DOCUMENT || this == DOCUMENT_CBOR;
    }

    private Class<?> type() {
      return this == TEXT_TWO_WAY ? Buffer.class : Object.class;
    }

    /** Opens the server, and the service behind it. Not for documents. */
    HttpReceiver receive(HttpFixture fixture, Consumer<Object> arrived)
        throws InterruptedException {
      HttpPath server = isBare() ? HttpPath.BARE : HttpPath.GATEWAY;
      return HttpReceiver.open(fixture, server, httpCase, address(), type(), arrived);
    }

    private String address() {
      return "outside-" + this;
    }

    /** The path of a request. */
    String requestPath() {
      return httpCase.protocol().path(address()) + (this == EVENT ? "/events" : "");
    }

    private int status() {
      return this == EVENT ? 202 : 200;
    }

    private String durability() {
      return switch (this) {
        case EVENT -> "PROCESS";
        case DOCUMENT, DOCUMENT_CBOR -> "none: in memory only";
        default -> "none: requests need none";
      };
    }
  }

  @Override
  public About about() {
    return About.headline(
        NAME,
        HttpCase.STATE_BYTES
            + " bytes over loopback HTTP/1.1 or WebSockets from a client in a process of its own:"
            + " one thread, "
            + CONNECTIONS
            + " connections, one request at a time on each, no library. All servers share one"
            + " event loop, and the rounds of all rows take turns. bare: a Vert.x HTTP server, with"
            + " the gateway's message format on a WebSocket. One-way is answered with true, two-way"
            + " with the body."
            + " gateway: the gateway and a service of "
            + RequestPath.WORKERS
            + " workers, which gets an object, with -text the bytes of the JSON. gateway-events: accepted with durability PROCESS; what is"
            + " handled after the last answer counts in cpu us, and neither in the rate nor in loop%. documents: PUT of a"
            + " document in memory, one for each connection, by the routes of weir-state; its"
            + " answer is the document. documents-cbor: the same document as CBOR, which is shorter,"
            + " over the bare server with JSON. cpu us: CPU time of the event loop for a request; threads"
            + " that write events to the disk are not in it. xBare, xBareCpu: throughput and CPU"
            + " time over those of bare of the same case in the same round, the median. "
            + Doubts.CLIENT_PERCENT
            + ": share of the time in which the client did not wait for answers; above "
            + Math.round(Doubts.MOST_CLIENT_PERCENT)
            + " the client is the bottleneck, and the row is SUSPECT. client cpu%: CPU time of its"
            + " thread, the search for answers included. loop%: CPU time of the event loop. A loop"
            + " that has a whole CPU is the bottleneck, whatever the client takes; otherwise a"
            + " client above "
            + Math.round(Doubts.MOST_CLIENT_PERCENT)
            + " is SUSPECT too. The quick profile has no gateway-text and no documents-cbor.");
  }

  @Override
  public void run(RunContext context) throws Exception {
    int burnUs = (int) context.number(BURN_US, 0, 0, MOST_BURN_US);
    List<Way> ways = new ArrayList<>();
    try (HttpFixture fixture = HttpFixture.on(ServiceFixture.open(context))) {
      List<JsonObject> targets = new ArrayList<>();
      for (Work work : works(context)) {
        Way way = new Way(work, targets.size(), fixture);
        ways.add(way);
        targets.add(
            way.open()
                .put("connections", CONNECTIONS)
                .put("roundMs", context.scaled(PASS_MS))
                .put("burnUs", burnUs));
      }
      try (OutsideClient client = new OutsideClient(targets)) {
        report(context, ways, measure(context, ways, client));
      }
      for (Way way : ways) {
        way.close();
      }
    }
  }

  /** The quick profile has the rows of page one. */
  private static List<Work> works(RunContext context) {
    return Stream.of(Work.values())
        .filter(
            work ->
                work != Work.TEXT_TWO_WAY && work != Work.DOCUMENT_CBOR
                    || context.profile() == Profile.FULL)
        .toList();
  }

  private static List<Measurement> measure(RunContext context, List<Way> ways, OutsideClient client)
      throws Exception {
    context.preheat(
        PREHEAT_PASSES,
        () -> {
          for (Way way : ways) {
            way.pass(client);
          }
        });
    Rounds rounds = context.headlineRounds();
    ways.forEach(way -> rounds.add(() -> way.pass(client), way.passes::clear));
    return rounds.measure(NAME);
  }

  private static void report(RunContext context, List<Way> ways, List<Measurement> measured) {
    Map<String, Row> bare = new HashMap<>();
    for (int i = 0; i < ways.size(); i++) {
      Work work = ways.get(i).work;
      String name = work.httpCase.label();
      Row row =
          OutsideClient.describe(context.row(measured.get(i)), ways.get(i).passes)
              .caseName(name)
              .path(work.path)
              .body(work.httpCase.body().toString())
              .payloadBytes(HttpCase.STATE_BYTES)
              .inFlight(CONNECTIONS)
              .extra("durability", work.durability())
              .extra("rateOf", work == Work.EVENT ? "accepted, not handled" : "answered");
      context.report(work.isBare() ? row : row.over(bare.get(name), "xBare"));
      if (work.isBare()) {
        bare.put(name, row);
      }
    }
  }

  /** A server that does the work, and what the client has measured with it. */
  private static final class Way {
    final Work work;
    final List<JsonObject> passes = new ArrayList<>();
    private final int target;
    private final HttpFixture fixture;
    private final AtomicLong handled = new AtomicLong();
    private LongSupplier arrived = handled::get;
    private long sent;

    /** Null for documents. */
    private HttpReceiver receiver;

    /** Null for all others. */
    private HttpDocuments documents;

    Way(Work work, int target, HttpFixture fixture) {
      this.work = work;
      this.target = target;
      this.fixture = fixture;
    }

    /** Opens the receiving end; returns the target for the client. */
    JsonObject open() throws InterruptedException {
      HttpCase httpCase = work.httpCase;
      if (work.isDocument()) {
        documents = HttpDocuments.open(fixture, CONNECTIONS);
        arrived = documents::puts;
        return OutsideClientMain.target(
                documents.port(),
                HttpDocuments.path(),
                httpCase.body(),
                httpCase.bytes(),
                work.status())
            .put("method", "PUT")
            .put("cbor", work == Work.DOCUMENT_CBOR)
            .put("numbered", true);
      }
      receiver = work.receive(fixture, body -> handled.incrementAndGet());
      return OutsideClientMain.target(
              receiver.port(), work.requestPath(), httpCase.body(), httpCase.bytes(), work.status())
          .put("webSocket", httpCase.protocol() == HttpProtocol.WEBSOCKET);
    }

    /** Ends when all that was sent is handled: events are answered before that. */
    RoundResult pass(OutsideClient client) throws IOException, InterruptedException {
      long beforeNs = fixture.serverCpu().timeNs();
      JsonObject measured = client.round(target);
      // Over the client's time, so without what is handled after the last answer.
      passes.add(measured.put("serverCpuNs", fixture.serverCpu().timeNs() - beforeNs));
      sent += measured.getLong("requests");
      long endNs = System.nanoTime() + HANDLE_TIMEOUT_NS;
      while (arrived.getAsLong() < sent && System.nanoTime() - endNs < 0) {
        Thread.sleep(1);
      }
      long serverCpuNs = fixture.serverCpu().timeNs() - beforeNs;
      return OutsideClient.result(measured).withCpu(serverCpuNs).and(countedAll());
    }

    private Verdict countedAll() {
      long all = arrived.getAsLong();
      return Verdict.ok().unless(all == sent, "arrived " + all + " of " + sent);
    }

    void close() throws InterruptedException {
      if (documents == null) {
        receiver.close();
      } else {
        documents.close();
      }
    }
  }
}
