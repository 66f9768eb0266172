package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Small requests that make the store hold much: large answers, large documents. */
class LargeAnswersTest extends StateTestBase {
  private static final int DOCUMENTS = 24;
  private static final int IN_FLIGHT_BYTES = 16 << 20;
  private static final int ANSWERS = 10;
  private static final int RECEIVE_BUFFER_BYTES = 4 << 10;
  private static final String TEXT = "x".repeat(900_000);

  private DocumentFactory cars;

  @Override
  DocumentsOptions options() {
    return super.options()
        .setResidentBytes(DocumentsOptions.MIN_BUDGET_BYTES)
        .setInFlightBytes(IN_FLIGHT_BYTES);
  }

  @BeforeEach
  void fill() {
    cars = factory("cars", new FactoryOptions().setChangeLogBytes(64 << 20));
    for (int i = 0; i < DOCUMENTS; i++) {
      done(cars.put("key-" + i, new JsonObject().put("text", TEXT)));
    }
  }

  private int listen() {
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    return server.actualPort();
  }

  private static Socket ask(int port, String path) throws IOException {
    return send(port, request(path));
  }

  private static String request(String path) {
    return "GET " + path + " HTTP/1.1\r\nhost: a\r\n\r\n";
  }

  private static String answer(int port, String request) {
    try (Socket socket = send(port, request)) {
      return status(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket send(int port, String request) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(RECEIVE_BUFFER_BYTES);
    socket.setSoTimeout((int) Await.DEADLINE_S * 1_000);
    socket.connect(new InetSocketAddress("127.0.0.1", port));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Reads no more than that. */
  private static String status(Socket socket) throws IOException {
    byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
    return new String(begin, StandardCharsets.US_ASCII).substring("HTTP/1.1 ".length());
  }

  private long inFlightBytes() {
    return documents.stats().inFlightBytes();
  }

  private void assertAllIsGivenBack() {
    Await.until("all is given back", () -> inFlightBytes() == 0);
    Await.until("this too", () -> documents.outgrownBudget().usedBytes() == 0);
    assertThat(done(cars.get("key-0")).json().getString("text")).isEqualTo(TEXT);
  }

  /** How many have succeeded; the others were refused. */
  private static int succeeded(List<Future<Document>> operations) {
    int succeeded = 0;
    for (Future<Document> each : operations) {
      Await.until("it ends", each::isComplete);
      if (each.succeeded()) {
        succeeded++;
      } else {
        assertFails(each, DocumentFailure.BUSY, "too many bytes");
      }
    }
    return succeeded;
  }

  @Test
  void pagesThatNobodyTakesHaveNoMoreThanTheirBudget() throws IOException {
    int port = listen();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        sockets.add(ask(port, "/documents/cars?limit=10"));
      }
      List<String> answers = new ArrayList<>();
      for (Socket each : sockets) {
        answers.add(status(each));
      }
      assertThat(answers).containsOnly("200", "503").contains("200", "503");
      assertThat(inFlightBytes()).isBetween(1L, (long) IN_FLIGHT_BYTES);
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
    assertAllIsGivenBack();
    try (Socket again = ask(port, "/documents/cars?limit=1")) {
      assertThat(status(again)).isEqualTo("200");
    }
  }

  /** Opens connections with requests, of whose answers none is taken, until one is refused. */
  private void askUntilRefused(int port, String request, List<Socket> sockets) throws IOException {
    boolean refused = false;
    while (!refused && sockets.size() < 10 * DOCUMENTS) {
      // Their answers have more bytes than the system keeps for a connection.
      Socket socket = send(port, request.repeat(ANSWERS));
      sockets.add(socket);
      refused = status(socket).equals("503");
    }
    assertThat(refused).isTrue();
    // As many again may be read from disk, or made, meanwhile.
    assertThat(inFlightBytes()).isLessThanOrEqualTo(2L * IN_FLIGHT_BYTES);
  }

  @Test
  void documentsThatNobodyTakesHaveNoMoreThanTheirBudget() throws IOException {
    done(cars.put("small", json("{'n':1}")));
    int port = listen();
    List<Socket> sockets = new ArrayList<>();
    try {
      askUntilRefused(port, request("/documents/cars/key-0"), sockets);
      // What is small is read all the same.
      Await.until("it is read", () -> answer(port, request("/documents/cars/small")).equals("200"));
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
    assertAllIsGivenBack();
  }

  @Test
  void answersOfPatchesThatNobodyTakesHaveNoMoreThanTheirBudget() throws IOException {
    int port = listen();
    String patch =
        "PATCH /documents/cars/key-0 HTTP/1.1\r\nhost: a\r\n"
            + "content-type: application/merge-patch+json\r\ncontent-length: 7\r\n\r\n{\"n\":1}";
    List<Socket> sockets = new ArrayList<>();
    try {
      askUntilRefused(port, patch, sockets);
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
    assertAllIsGivenBack();
  }

  @Test
  void streamsThatNobodyTakesHaveNoMoreThanTheirBudget() throws IOException {
    int port = listen();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        sockets.add(ask(port, "/documents/cars/changes?from=0"));
      }
      for (Socket each : sockets) {
        assertThat(status(each)).isIn("200", "503");
      }
      Await.until("much is held", () -> inFlightBytes() > IN_FLIGHT_BYTES / 2);
      assertThat(inFlightBytes()).isLessThanOrEqualTo(IN_FLIGHT_BYTES);
    } finally {
      for (Socket each : sockets) {
        each.close();
      }
    }
    assertAllIsGivenBack();
  }

  @Test
  void documentsThatWereReadAndWaitForTheirReaderHaveNoMoreThanTheirBudget() {
    Context busy = vertx.getOrCreateContext();
    Promise<Long> held = Promise.promise();
    List<Future<Document>> reads = new ArrayList<>();
    long before = cars.stats().loads();
    busy.runOnContext(
        now -> {
          for (int i = 0; i < DOCUMENTS; i++) {
            reads.add(cars.get("key-" + i));
          }
          // None of them is taken before.
          Await.until("all are read", () -> cars.stats().loads() == before + DOCUMENTS);
          held.complete(inFlightBytes());
        });
    assertThat(done(held.future())).isBetween(IN_FLIGHT_BYTES / 2L, (long) IN_FLIGHT_BYTES);
    assertThat(succeeded(reads)).isBetween(1, DOCUMENTS - 1);
    assertAllIsGivenBack();
  }

  @Test
  void smallPatchesOfALargeDocumentHaveNoMoreThanTheirBudget() {
    AtomicBoolean sent = new AtomicBoolean(true);
    AtomicLong mostBytes = new AtomicLong();
    FactoryRules rules =
        new FactoryRules()
            .setValidator(
                (current, next) -> {
                  Await.until("all are sent", sent::get);
                  mostBytes.accumulateAndGet(inFlightBytes(), Math::max);
                });
    DocumentFactory planes = factory("planes", new FactoryOptions(), rules);
    done(planes.put("large", new JsonObject().put("text", TEXT)));
    sent.set(false);
    List<Future<Document>> merges = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      merges.add(planes.merge("large", json("{'n':" + i + "}")));
    }
    sent.set(true);
    int succeeded = succeeded(merges);
    assertThat(succeeded).isPositive();
    assertThat(mostBytes.get()).isLessThanOrEqualTo(IN_FLIGHT_BYTES);
    assertThat(done(planes.get("large")).version()).isEqualTo(1 + succeeded);
    assertAllIsGivenBack();
  }

  @Test
  void aFloodOfWritesIsNotRefusedAfterItWasAccepted() {
    AtomicBoolean sent = new AtomicBoolean();
    FactoryRules rules =
        new FactoryRules().setValidator((current, next) -> Await.until("all are sent", sent::get));
    DocumentFactory planes = factory("planes", new FactoryOptions(), rules);
    List<Future<Document>> writes = new ArrayList<>();
    while (inFlightBytes() < IN_FLIGHT_BYTES - 2 * TEXT.length()) {
      writes.add(planes.put("key-" + writes.size(), new JsonObject().put("text", TEXT)));
    }
    sent.set(true);
    assertThat(succeeded(writes)).isEqualTo(writes.size());
    assertAllIsGivenBack();
  }
}
