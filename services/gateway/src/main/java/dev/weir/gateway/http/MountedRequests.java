package dev.weir.gateway.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Stands before routes of a user's: counts their requests as in handling, and refuses them while
 * the gateway drains. A stream of events has no end, so it counts until it begins.
 */
public final class MountedRequests implements Handler<RoutingContext> {
  private static final String EVENTS = "text/event-stream";

  private final Intake intake;

  public MountedRequests(Intake intake) {
    this.intake = intake;
  }

  @Override
  public void handle(RoutingContext context) {
    if (!intake.enter()) {
      new Exchange(context.request(), context.request().path(), intake, "", null)
          .fail(Problem.of(ProblemType.CLOSED, "this gateway closes, another may be there"));
      return;
    }
    Entered entered = new Entered();
    HttpServerResponse response = context.response();
    context.addHeadersEndHandler(
        head -> {
          if (EVENTS.equals(response.headers().get(HttpHeaders.CONTENT_TYPE))) {
            entered.leave();
          }
        });
    context.addEndHandler(end -> entered.leave());
    context.next();
  }

  /** A request that was let in, and leaves once; on its event loop. */
  private final class Entered {
    private boolean left;

    void leave() {
      if (!left) {
        left = true;
        intake.leave();
      }
    }
  }
}
