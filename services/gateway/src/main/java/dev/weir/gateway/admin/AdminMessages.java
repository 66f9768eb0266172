package dev.weir.gateway.admin;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceWaitingMessages.Waiting;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** What an operator may do to the waiting messages of a service. */
final class AdminMessages {
  private AdminMessages() {}

  /** A page of them, or the one of an id. */
  static Future<JsonObject> list(RoutingContext context, Service service) {
    long from = Parameters.whole(context, "from", 0, 0, Long.MAX_VALUE);
    int max =
        (int)
            Parameters.whole(
                context, "max", AdminDeadLetters.DEFAULT_LISTED, 1, AdminDeadLetters.MAX_LISTED);
    String id = context.request().getParam("id");
    Future<Page<JsonObject>> page =
        id == null
            ? Page.find(
                service.waitingMessages()::list,
                Waiting::sequence,
                null,
                from,
                max,
                AdminMessages::listed)
            : service
                .waitingMessages()
                .find(id)
                .map(found -> found == null ? List.<JsonObject>of() : List.of(listed(found)))
                .map(found -> new Page<>(found, null));
    return page.map(
        found ->
            new JsonObject()
                .put("count", service.waitingMessages().count())
                .put("next", found.nextNumber())
                .put("messages", new JsonArray(found.items())));
  }

  private static JsonObject listed(Waiting message) {
    return MessageJson.of(message, AdminDeadLetters.LISTED_BODY_BYTES);
  }

  static Future<JsonObject> read(RoutingContext context, Service service) {
    long sequence = sequence(context);
    return service
        .waitingMessages()
        .list(sequence, 1)
        .map(
            messages -> {
              if (messages.isEmpty() || messages.get(0).sequence() != sequence) {
                throw missing(service, sequence);
              }
              return MessageJson.of(messages.get(0), AdminDeadLetters.READ_BODY_BYTES);
            });
  }

  static Future<JsonObject> delete(RoutingContext context, Service service) {
    long sequence = sequence(context);
    return service
        .waitingMessages()
        .delete(sequence)
        .map(
            deletion ->
                switch (deletion) {
                  case DELETED -> {
                    AdminRoutes.log(context, service, "deleted waiting message " + sequence);
                    yield new JsonObject().put("deleted", 1);
                  }
                  case NOT_FOUND -> throw missing(service, sequence);
                  case IN_DELIVERY ->
                      throw new ProblemException(
                          ProblemType.CONFLICT,
                          "message " + sequence + " is in handling, or was a moment ago");
                });
  }

  private static ProblemException missing(Service service, long sequence) {
    return new ProblemException(
        ProblemType.NOT_FOUND, "no message " + sequence + " waits for " + service.address());
  }

  private static long sequence(RoutingContext context) {
    return Parameters.whole("sequence", context.pathParam("sequence"), 0, Long.MAX_VALUE);
  }
}
