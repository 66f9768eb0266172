package dev.weir.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.vertx.Contexts;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DashboardEventsTest {
  private static final Pattern NUMBER = Pattern.compile("\\{\"number\":(\\d+)}");

  private final AtomicInteger read = new AtomicInteger();
  private Vertx vertx;
  private HttpClient client;
  private HttpServer server;
  private DashboardEvents events;

  /** Somebody who looks on. */
  private static final class Viewer {
    final HttpClientResponse response;
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    final AtomicBoolean ended = new AtomicBoolean();

    Viewer(HttpClientResponse response) {
      this.response = response;
    }

    int statusCode() {
      return response.statusCode();
    }

    Set<String> numbers() {
      return NUMBER
          .matcher(String.join("", List.copyOf(seen)))
          .results()
          .map(found -> found.group(1))
          .collect(Collectors.toSet());
    }
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(200));
    listen(10, () -> new JsonObject().put("number", read.incrementAndGet()));
  }

  private void listen(long periodMs, Supplier<JsonObject> snapshots) {
    events =
        new DashboardEvents(
            vertx,
            vertx.createSharedWorkerExecutor("figures", 1),
            context -> context.next(),
            context -> context.response().setStatusCode(503).end(),
            snapshots,
            periodMs);
    Router router = Router.router(vertx);
    events.mount(router);
    server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    Futures.result("vert.x closes", vertx.close());
  }

  private Viewer view() {
    return Futures.result(
        "a viewer connects",
        client
            .request(HttpMethod.GET, server.actualPort(), "127.0.0.1", DashboardEvents.PATH)
            .compose(
                request ->
                    request
                        .send()
                        .map(
                            response -> {
                              Viewer viewer = new Viewer(response);
                              response.exceptionHandler(failure -> viewer.ended.set(true));
                              response.endHandler(end -> viewer.ended.set(true));
                              response.handler(part -> viewer.seen.add(part.toString()));
                              return viewer;
                            })));
  }

  private static void leave(Viewer viewer) {
    viewer.response.request().connection().close();
  }

  @Test
  void sendsSnapshotsAsServerSentEvents() {
    Viewer viewer = view();
    assertThat(viewer.response.getHeader("content-type")).isEqualTo("text/event-stream");
    assertThat(viewer.response.getHeader("cache-control")).isEqualTo("no-store");
    Await.until("three snapshots come", () -> viewer.seen.size() >= 3);
    assertThat(String.join("", viewer.seen))
        .matches("(event: snapshot\ndata: \\{\"number\":\\d+}\n\n)+");
  }

  @Test
  void beginsWithTheHistoryAndGoesOnWithTheHour() {
    JsonObject service = new JsonObject().put("address", "a").put("waitingInMemory", 1);
    AtomicInteger spans = new AtomicInteger();
    events.close();
    listen(
        10,
        () ->
            new JsonObject()
                .put("atMs", spans.incrementAndGet() * DashboardHistory.SPAN_MS)
                .put("services", new JsonArray().add(service)));
    Viewer viewer = view();
    Await.until("snapshots come", () -> viewer.seen.size() >= 5);
    assertThat(String.join("", viewer.seen))
        .contains("event: hour\ndata: {\"atMs\":[" + DashboardHistory.SPAN_MS * 3 + "]")
        .containsPattern("event: hour\n.*\n\nevent: snapshot\n");
  }

  @Test
  void readsOnceForAllAndLessWhileNobodyLooks() {
    List<Viewer> viewers = List.of(view(), view(), view());
    Await.until("all see one that was read once", () -> !seenByAll(viewers).isEmpty());
    viewers.forEach(DashboardEventsTest::leave);
    Await.until("all are gone", () -> events.viewers() == 0);
    int before = read.get();
    Await.until("the history is read", () -> read.get() > before);
    Viewer back = view();
    Await.until("snapshots come again", () -> back.seen.size() >= 2);
  }

  /** The numbers of the snapshots that each of them has; each reading has another. */
  private static Set<String> seenByAll(List<Viewer> viewers) {
    Set<String> all = viewers.get(0).numbers();
    viewers.forEach(viewer -> all.retainAll(viewer.numbers()));
    return all;
  }

  @Test
  void refusesMoreViewersThanItHasRoomForUntilOneLeaves() {
    List<Viewer> viewers = new ArrayList<>();
    for (int i = 0; i < DashboardEvents.MAX_VIEWERS; i++) {
      viewers.add(view());
    }
    Viewer refused = view();
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.response.getHeader("retry-after")).isEqualTo("10");
    leave(viewers.get(0));
    Await.until("there is room", () -> view().statusCode() == 200);
  }

  @Test
  void dropsAViewerWhoTakesNothingAndServesTheOthers() {
    server.close();
    String padding = "x".repeat(1 << 20);
    // Seldom enough that a machine that is busy does not make the other slow, too.
    listen(100, () -> new JsonObject().put("padding", padding));
    Viewer other = view();
    Viewer slow = view();
    slow.response.pause();
    Await.until("the slow one is dropped", () -> events.viewers() == 1);
    int before = other.seen.size();
    Await.until("the other is served", () -> other.seen.size() > before);
    assertThat(other.ended).isFalse();
  }

  @Test
  void goesOnAfterASnapshotThatFailed() {
    server.close();
    listen(
        10,
        () -> {
          if (read.incrementAndGet() < 3) {
            throw new IllegalStateException("as the test wants");
          }
          return new JsonObject().put("number", read.get());
        });
    Viewer viewer = view();
    Await.until("a snapshot comes", () -> viewer.seen.toString().contains("\"number\":3"));
  }

  @Test
  void endsTheStreamsWhenItIsClosed() {
    Viewer viewer = view();
    Await.until("a snapshot comes", () -> !viewer.seen.isEmpty());
    events.close();
    Await.until("the stream ends", viewer.ended::get);
    assertThat(view().statusCode()).isEqualTo(503);
    assertThat(String.join("", viewer.seen)).endsWith("\n\n");
  }

  @Test
  void throwsNothingWhileVertxCloses() {
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    vertx.exceptionHandler(thrown::add);
    Await.until("figures are read", () -> read.get() > 0);
    // The close closes the threads at once; the event loops run on for as long as the hook takes.
    Contexts.addCloseHook(vertx, done -> vertx.setTimer(200, over -> done.complete(null, null)));
    try (LoggedLines log = LoggedLines.of(DashboardEvents.class.getName(), Level.ALL)) {
      stop();
      assertThat(thrown).isEmpty();
      assertThat(log.lines()).isEmpty();
    }
  }
}
