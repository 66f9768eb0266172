package dev.weir.gateway.dashboard;

import dev.weir.flow.vertx.Contexts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends all viewers of the dashboard the same snapshot once a second, as server-sent events. A new
 * viewer first gets the history: the last minutes, and the last hour in coarser points. While
 * nobody looks, figures are read half as often, for the history alone. A viewer who does not take
 * what is sent misses snapshots, and is dropped after {@value #MAX_SKIPPED} in a row.
 */
final class DashboardEvents {
  static final String PATH = "/dashboard/events";
  static final int MAX_VIEWERS = 64;
  static final int MAX_SKIPPED = 15;
  static final long DEFAULT_PERIOD_MS = 1000;

  private static final Logger LOG = LoggerFactory.getLogger(DashboardEvents.class);
  private static final long NO_TIMER = -1;
  private static final String RETRY_AFTER_S = "10";

  /** While nobody looks, one tick of so many reads. */
  private static final int IDLE_TICKS = 2;

  private final Vertx vertx;
  private final WorkerExecutor threads;
  private final Handler<RoutingContext> access;
  private final Handler<RoutingContext> full;
  private final Supplier<JsonObject> snapshots;
  private final long periodMs;
  private final Set<Viewer> viewers = new HashSet<>();
  private final DashboardHistory history = new DashboardHistory();
  private long ticks;
  private Buffer latest;
  private long timer = NO_TIMER;
  private boolean taking;
  private boolean closed;

  private static final class Viewer {
    final HttpServerResponse response;
    int skipped;

    Viewer(HttpServerResponse response) {
      this.response = response;
    }
  }

  /**
   * @param threads call the supplier
   * @param access lets a request go on, or answers it
   * @param full answers a request when there are {@value #MAX_VIEWERS} viewers, or after the close
   * @param snapshots called once a period while there are viewers; never by two threads at once
   */
  DashboardEvents(
      Vertx vertx,
      WorkerExecutor threads,
      Handler<RoutingContext> access,
      Handler<RoutingContext> full,
      Supplier<JsonObject> snapshots,
      long periodMs) {
    this.vertx = vertx;
    this.threads = threads;
    this.access = access;
    this.full = full;
    this.snapshots = snapshots;
    this.periodMs = periodMs;
  }

  /** Adds the route, and begins the history. */
  synchronized void mount(Router router) {
    router.get(PATH).handler(access).handler(this::open);
    timer = vertx.setPeriodic(periodMs, periodMs, tick -> tick());
  }

  private synchronized void open(RoutingContext context) {
    if (closed || viewers.size() >= MAX_VIEWERS) {
      context.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S);
      full.handle(context);
      return;
    }
    HttpServerResponse response = context.response();
    Viewer viewer = new Viewer(response);
    viewers.add(viewer);
    context.addEndHandler(ended -> remove(viewer));
    response
        .setChunked(true)
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        // A compressor, here or in a proxy, would hold events back.
        .putHeader(HttpHeaders.CONTENT_ENCODING, "identity")
        .putHeader("x-accel-buffering", "no")
        .putHeader("x-content-type-options", "nosniff");
    write(response, "history", history.toJson(System.currentTimeMillis()));
    write(response, "hour", history.hourToJson(System.currentTimeMillis()));
    if (latest != null) {
      response.write(latest);
    } else {
      response.writeHead();
    }
  }

  /** Reads off the event loop, for figures may have to be asked of the file system. */
  private synchronized void tick() {
    if (closed) {
      return;
    }
    boolean due = !viewers.isEmpty() || ticks % IDLE_TICKS == 0;
    ticks++;
    if (due && !taking) {
      taking = true;
      Contexts.executeBlocking(threads, snapshots::get, true).onComplete(this::send);
    }
  }

  private synchronized void send(AsyncResult<JsonObject> snapshot) {
    taking = false;
    if (closed) {
      return;
    }
    if (snapshot.cause() instanceof RejectedExecutionException) {
      // Vert.x closes, and has ended the threads.
      close();
      return;
    }
    if (snapshot.failed()) {
      LOG.warn("the figures cannot be read", snapshot.cause());
      return;
    }
    boolean hasPoint = history.add(snapshot.result());
    latest = event("snapshot", snapshot.result());
    Buffer all = hasPoint ? event("hour", history.lastOfHour()).appendBuffer(latest) : latest;
    for (Viewer viewer : Set.copyOf(viewers)) {
      if (!viewer.response.writeQueueFull()) {
        viewer.skipped = 0;
        viewer.response.write(all);
      } else if (++viewer.skipped >= MAX_SKIPPED) {
        remove(viewer);
        viewer.response.reset();
      }
    }
  }

  private static void write(HttpServerResponse response, String name, JsonObject data) {
    if (data != null) {
      response.write(event(name, data));
    }
  }

  private static Buffer event(String name, JsonObject data) {
    return Buffer.buffer("event: " + name + "\ndata: ")
        .appendBuffer(data.toBuffer())
        .appendString("\n\n");
  }

  private synchronized void remove(Viewer viewer) {
    viewers.remove(viewer);
  }

  /** How many look on. */
  synchronized int viewers() {
    return viewers.size();
  }

  /** Ends all streams and refuses later requests. */
  synchronized void close() {
    closed = true;
    vertx.cancelTimer(timer);
    for (Viewer viewer : Set.copyOf(viewers)) {
      remove(viewer);
      viewer.response.end();
    }
  }
}
