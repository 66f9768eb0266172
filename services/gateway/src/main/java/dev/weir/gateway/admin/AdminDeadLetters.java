package dev.weir.gateway.admin;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;

/** What an operator may do to the dead letters of a service. */
final class AdminDeadLetters {
  private static final int DEFAULT_LISTED = 50;
  private static final int MAX_LISTED = 100;

  /** In a list; a single one shows more. */
  private static final int LISTED_BODY_BYTES = 256;

  private static final int READ_BODY_BYTES = 64 << 10;

  Future<JsonObject> list(RoutingContext context, Service service) {
    long from = parameter(context, "from", 0, 0, Long.MAX_VALUE);
    int max = (int) parameter(context, "max", DEFAULT_LISTED, 1, MAX_LISTED);
    return service
        .deadLetters()
        .list(from, max)
        .map(
            letters -> {
              JsonArray listed = new JsonArray();
              letters.forEach(letter -> listed.add(DeadLetterJson.of(letter, LISTED_BODY_BYTES)));
              return new JsonObject()
                  .put("count", service.deadLetters().count())
                  .put("letters", listed);
            });
  }

  Future<JsonObject> read(RoutingContext context, Service service) {
    long number = number(context);
    return service
        .deadLetters()
        .list(number, 1)
        .map(
            letters -> {
              if (letters.isEmpty() || letters.get(0).number() != number) {
                throw missing(service, number);
              }
              Letter letter = letters.get(0);
              return DeadLetterJson.of(letter, READ_BODY_BYTES);
            });
  }

  Future<JsonObject> requeue(RoutingContext context, Service service) {
    long number = number(context);
    return service
        .deadLetters()
        .requeue(number)
        .map(found -> one(context, service, "requeued", number, found));
  }

  Future<JsonObject> requeueAll(RoutingContext context, Service service) {
    return service
        .deadLetters()
        .requeueAll()
        .map(count -> all(context, service, "requeued", count));
  }

  Future<JsonObject> purge(RoutingContext context, Service service) {
    long number = number(context);
    return service
        .deadLetters()
        .purge(number)
        .map(found -> one(context, service, "purged", number, found));
  }

  /** Only as many as the caller knows of: nothing is thrown away that nobody has seen. */
  Future<JsonObject> purgeAll(RoutingContext context, Service service) {
    long expected = parameter(context, "count", -1, 0, Long.MAX_VALUE);
    long count = service.deadLetters().count();
    if (count != expected) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "there are " + count + " dead letters; to purge them all, say so: ?count=" + count);
    }
    return service.deadLetters().purgeAll().map(purged -> all(context, service, "purged", purged));
  }

  private static JsonObject one(
      RoutingContext context, Service service, String what, long number, boolean found) {
    if (!found) {
      throw missing(service, number);
    }
    AdminRoutes.log(context, service, what + " dead letter " + number);
    return new JsonObject().put(what, 1);
  }

  private static JsonObject all(RoutingContext context, Service service, String what, long count) {
    AdminRoutes.log(context, service, what + " all dead letters, " + count);
    return new JsonObject().put(what, count);
  }

  private static ProblemException missing(Service service, long number) {
    return new ProblemException(
        ProblemType.NOT_FOUND, service.address() + " has no dead letter " + number);
  }

  private static long number(RoutingContext context) {
    return whole("number", context.pathParam("number"), 0, Long.MAX_VALUE);
  }

  private static long parameter(
      RoutingContext context, String name, long byDefault, long min, long max) {
    String value = context.request().getParam(name);
    return value == null ? byDefault : whole(name, value, min, max);
  }

  private static long whole(String name, String value, long min, long max) {
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As any other that is not allowed.
    }
    throw new ProblemException(
        ProblemType.BAD_REQUEST,
        name + " is " + value + ", allowed is a whole number from " + min + " to " + max);
  }
}
