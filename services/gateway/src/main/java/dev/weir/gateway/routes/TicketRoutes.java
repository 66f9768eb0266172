package dev.weir.gateway.routes;

import dev.weir.gateway.http.Answer;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.gateway.http.Routes;
import dev.weir.gateway.security.Access;
import dev.weir.gateway.security.Tickets;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** {@code POST /tickets}: a ticket for a WebSocket or a stream of events, from a token. */
public final class TicketRoutes implements Routes {
  public static final String PATH = "/tickets";

  private final Access access;

  public TicketRoutes(Access access) {
    this.access = access;
  }

  @Override
  public void mount(Router router) {
    router.post(PATH).handler(access.ticket()).handler(this::give);
  }

  private void give(RoutingContext context) {
    String ticket = access.newTicket(context);
    if (ticket == null) {
      Refusal.send(context, ProblemType.BUSY, "too many tickets are not used yet");
      return;
    }
    JsonObject answer = new JsonObject().put("ticket", ticket).put("expiresInMs", Tickets.LIFE_MS);
    context
        .response()
        .setStatusCode(201)
        .putHeader(HttpHeaders.CONTENT_TYPE, Answer.JSON)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(answer.toBuffer());
  }
}
