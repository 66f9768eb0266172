package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.state.call.ChangePoll;
import dev.weir.state.call.ChangeSource;
import dev.weir.state.call.ServedFactory;
import dev.weir.state.engine.StreamSlots;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams of changes over HTTP. */
class ChangeEventsTest extends StateTestBase {
  private static final String PATH = "/documents/cars/changes";
  private static final Pattern EVENT =
      Pattern.compile("id: (\\d+)\nevent: (\\w+)\ndata: (\\{.*})\n\n");

  /** More than one event has. */
  private static final int END_BYTES = 30_000;

  private DocumentFactory cars;
  private HttpClient client;

  @Override
  DocumentsOptions options() {
    return super.options().setMaxStreams(2);
  }

  @BeforeEach
  void serve() {
    FactoryOptions options =
        new FactoryOptions().setChangeLogBytes(64 << 20).setIndexes(List.of("color"));
    cars = factory("cars", options);
    factory("plain");
    listen();
  }

  private void listen() {
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    client =
        vertx.createHttpClient(
            new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(server.actualPort()),
            new PoolOptions().setHttp1MaxSize(10));
  }

  /** A stream, and what came of it. */
  private static final class Stream {
    private final Buffer text = Buffer.buffer();
    private HttpClientResponse response;
    private boolean ended;

    private synchronized void add(Buffer piece) {
      text.appendBuffer(piece);
    }

    private synchronized void end() {
      ended = true;
    }

    synchronized boolean isEnded() {
      return ended;
    }

    synchronized String text() {
      return text.toString(StandardCharsets.UTF_8);
    }

    synchronized boolean endsWith(String end) {
      int start = text.length() - end.length();
      return start >= 0 && text.getString(start, text.length()).equals(end);
    }

    /** The end alone, because much may have come; whole events only. */
    synchronized boolean hasAtItsEnd(String piece) {
      int start = Math.max(0, text.length() - END_BYTES);
      String end = text.getString(start, text.length());
      return end.endsWith("\n\n") && end.contains(piece);
    }

    List<MatchResult> events() {
      return EVENT.matcher(text()).results().toList();
    }

    void awaitEvents(int count) {
      Await.until(() -> count + " events; " + text(), () -> events().size() >= count);
    }

    JsonObject json() {
      return new JsonObject(text());
    }
  }

  private Stream open(String path, String... headers) {
    Stream stream = new Stream();
    stream.response =
        Futures.result(
            "answer of " + path,
            client
                .request(HttpMethod.GET, path)
                .compose(
                    request -> {
                      for (int i = 0; i < headers.length; i += 2) {
                        request.putHeader(headers[i], headers[i + 1]);
                      }
                      return request
                          .send()
                          .onSuccess(
                              response ->
                                  response
                                      .exceptionHandler(broken -> stream.end())
                                      .handler(stream::add)
                                      .endHandler(end -> stream.end()));
                    }));
    return stream;
  }

  private void assertProblem(String path, int status, String detail, String... headers) {
    Stream answer = open(path, headers);
    Await.until("the answer ends", answer::isEnded);
    assertThat(answer.response.statusCode()).as(answer.text()).isEqualTo(status);
    assertThat(answer.response.getHeader("content-type")).isEqualTo("application/problem+json");
    assertThat(answer.json().getString("detail")).contains(detail);
  }

  @Test
  void aStreamSendsItsPositionAndThenEachChange() {
    done(cars.put("before", json("{}")));
    Stream stream = open(PATH);
    assertThat(stream.response.statusCode()).isEqualTo(200);
    assertThat(stream.response.getHeader("content-type")).isEqualTo("text/event-stream");
    long now = done(cars.changes(new ChangeQuery())).position();
    Await.until("the position comes", () -> stream.text().startsWith(":\nid: " + now + "\n\n"));
    done(cars.put("a", json("{'n':1,'text':'\\n'}")));
    done(cars.delete("a"));
    stream.awaitEvents(2);
    MatchResult put = stream.events().get(0);
    assertThat(put.group(2)).isEqualTo("put");
    JsonObject change = new JsonObject(put.group(3));
    assertThat(change.getString("key")).isEqualTo("a");
    assertThat(change.getJsonObject("content")).isEqualTo(json("{'n':1,'text':'\\n'}"));
    assertThat(change.getLong("position")).isEqualTo(Long.parseLong(put.group(1)));
    assertThat(stream.events().get(1).group(2)).isEqualTo("delete");
    // The client comes back with the last position that it knows.
    Stream again = open(PATH + "?from=0", "last-event-id", put.group(1));
    again.awaitEvents(1);
    assertThat(again.events().get(0).group(2)).isEqualTo("delete");
  }

  @Test
  void aFilterIsKept() {
    done(cars.put("a", json("{'color':'blue'}")));
    done(cars.put("b", json("{'color':'red'}")));
    Stream stream = open(PATH + "?from=0&filter=color%20%3D%20%27red%27");
    stream.awaitEvents(1);
    done(cars.put("b", json("{'color':'blue'}")));
    stream.awaitEvents(2);
    assertThat(stream.events()).extracting(each -> each.group(2)).containsExactly("put", "out");
  }

  /** A store that was damaged may have a document that cannot be decoded. */
  @Test
  void aChangeThatCannotBeWrittenIsAProblemAndEndsAStreamThatHasBegun() {
    Document unreadable = new Document("a", 1, 0, "no".getBytes(StandardCharsets.UTF_8));
    ChangePage broken =
        new ChangePage(
            List.of(new DocumentChange(7, 0, DocumentChange.Kind.PUT, "a", 1, unreadable)), 7);
    StreamSlots slots = new StreamSlots(2);
    serve("broken", slots, List.of(broken));
    serve("later", slots, List.of(new ChangePage(List.of(), 6), broken));

    assertProblem("/documents/broken/changes?from=0", 500, "is not a JSON object");
    Stream begun = open("/documents/later/changes?from=0");
    Await.until("the stream ends", begun::isEnded);
    assertThat(begun.text()).contains("id: 6");
    assertThat(begun.events()).isEmpty();
    Await.until("no stream is left", () -> slots.count() == 0);
  }

  /** Serves a factory of which only its changes can be read: these pages, then none. */
  private void serve(String name, StreamSlots slots, List<ChangePage> pages) {
    Iterator<ChangePage> next = pages.iterator();
    ChangePoll nothing = poll(Future.future(never -> {}));
    ChangeSource source =
        new ChangeSource() {
          @Override
          public ChangePoll poll(ChangeQuery query) {
            return next.hasNext()
                ? ChangeEventsTest.poll(Future.succeededFuture(next.next()))
                : nothing;
          }

          @Override
          public StreamSlots streams() {
            return slots;
          }
        };
    ServedFactory factory =
        (ServedFactory)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ServedFactory.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "name" -> name;
                      case "logsChanges" -> true;
                      case "streaming" -> source;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    done(documents.serve(factory, 0));
  }

  private static ChangePoll poll(Future<ChangePage> page) {
    return new ChangePoll() {
      @Override
      public Future<ChangePage> page() {
        return page;
      }

      @Override
      public void end() {}
    };
  }

  @Test
  void whatCannotBeStreamedIsAProblem() {
    assertProblem(PATH + "?from=x", 400, "from is x, not a whole number");
    assertProblem(PATH + "?from=-1", 400, "from is -1");
    assertProblem(PATH + "?filter=price%3D1", 400, "has no index on price");
    assertProblem(PATH + "?from=99", 410, "has no change at position 99");
    assertProblem(PATH, 410, "has no change at position 77", "last-event-id", "77");
    assertProblem("/documents/bikes/changes", 404, "there is no factory bikes");
    assertProblem(
        "/documents/plain/changes",
        400,
        "factory plain has no log of changes",
        "accept",
        "text/event-stream");
    assertProblem("/documents/plain/changes", 404, "document changes does not exist");
    done(documents.find("plain").put("changes", json("{'n':1}")));
    Stream document = open("/documents/plain/changes");
    Await.until("the document comes", document::isEnded);
    assertThat(document.json()).isEqualTo(json("{'n':1}"));
  }

  @Test
  void noMoreThanSomeStreamsAreOpenAndOneThatEndsMakesRoom() {
    Stream first = open(PATH);
    open(PATH);
    assertProblem(PATH, 503, "as many streams of changes are open as may be: 2");
    Futures.result("the first one ends", first.response.request().connection().close());
    Await.until(
        "there is room",
        () -> {
          Stream next = open(PATH);
          return next.response.statusCode() == 200;
        });
  }

  @Test
  void aReaderThatStandsStillHoldsNobodyUpAndMissesNothing() {
    Stream slow = open(PATH);
    slow.response.pause();
    String text = "x".repeat(10_000);
    int count = 2_000;
    for (int i = 0; i < count; i += 100) {
      List<Future<?>> puts = new ArrayList<>();
      for (int j = i; j < i + 100; j++) {
        puts.add(cars.put("key-" + j, new JsonObject().put("n", j).put("text", text)));
      }
      done(Future.all(puts));
    }
    assertThat(documents.stats().inFlightBytes()).isLessThan(4 << 20);
    slow.response.resume();
    long last = done(cars.changes(new ChangeQuery())).position();
    Await.until("all changes come", () -> slow.hasAtItsEnd("id: " + last + "\nevent: put\n"));
    assertThat(slow.events())
        .hasSize(count)
        .extracting(each -> new JsonObject(each.group(3)).getString("key"))
        .doesNotHaveDuplicates();
    Await.until("nothing is held", () -> documents.stats().inFlightBytes() == 0);
  }

  @Test
  void aReaderThatIsTooLateIsToldAndItsStreamEnds() {
    done(documents.close());
    open(options());
    cars = factory("cars", new FactoryOptions().setChangeLogBytes(100_000));
    listen();
    Stream slow = open(PATH);
    slow.response.pause();
    String text = "x".repeat(50_000);
    for (int i = 0; i < 400; i++) {
      done(cars.put("key-" + i, new JsonObject().put("text", text)));
    }
    slow.response.resume();
    Await.until("the stream ends", slow::isEnded);
    assertThat(slow.text()).contains("event: gone\ndata: {").contains("\"status\":410");
  }

  @Test
  void aStoreThatClosesEndsItsStreams() {
    Stream stream = open(PATH);
    done(documents.close());
    Await.until("the stream ends", stream::isEnded);
  }

  @Test
  @Tag("slow")
  void aStreamWithoutChangesSendsItsPosition() {
    Stream stream = open(PATH + "?filter=color%20%3D%20%27red%27");
    done(cars.put("a", json("{'color':'blue'}")));
    long last = done(cars.changes(new ChangeQuery())).position();
    Await.until("the heartbeat", () -> stream.endsWith("\n\n:\nid: " + last + "\n\n"));
    assertThat(stream.events()).isEmpty();
  }
}
