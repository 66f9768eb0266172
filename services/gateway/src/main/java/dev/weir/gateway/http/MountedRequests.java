package dev.weir.gateway.http;

import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;

/**
 * Stands before routes of a user's: counts their requests as in handling, and refuses them while
 * the gateway drains. A stream of events has no end, so it counts until it begins. A request whose
 * client goes counts until its work is done, if the route has named that.
 */
public final class MountedRequests implements Handler<RoutingContext> {
  /** In the data of a request: the future of the work that a route does for it. */
  private static final String WORK = "weir.work";

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
    Entered entered = new Entered(Contexts.current(), context);
    HttpServerResponse response = context.response();
    context.addHeadersEndHandler(
        head -> {
          if (EVENTS.equals(response.headers().get(HttpHeaders.CONTENT_TYPE))) {
            entered.leave();
          }
        });
    context.addEndHandler(end -> entered.end());
    context.next();
  }

  /** A request that was let in, and leaves once; on its event loop. */
  private final class Entered {
    private final Context loop;
    private final HeldBytes held;
    private final boolean holds;

    /** Null once the request has ended, so that its work does not keep its connection. */
    private RoutingContext request;

    private boolean left;

    Entered(Context loop, RoutingContext request) {
      this.loop = loop;
      this.request = request;
      this.held = HeldBytes.of(request);
      // A request that became a WebSocket ends in no other way.
      this.holds = held.handling(this::end);
    }

    void leave() {
      if (!left) {
        left = true;
        intake.leave();
      }
    }

    /** The request is answered, or its client is gone. */
    void end() {
      if (request == null) {
        return;
      }
      Future<?> work = request.get(WORK);
      request = null;
      if (work == null || work.isComplete()) {
        done();
      } else {
        work.onComplete(ignored -> loop.runOnContext(now -> done()));
      }
    }

    private void done() {
      leave();
      if (holds) {
        held.handled();
      }
    }
  }
}
