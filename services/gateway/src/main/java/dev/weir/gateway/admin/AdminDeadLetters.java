package dev.weir.gateway.admin;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceDeadLetters;
import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.Weir;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.queue.DeadLetters.Mark;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** What an operator may do to the dead letters of a service. */
final class AdminDeadLetters {
  static final int DEFAULT_LISTED = 50;
  static final int MAX_LISTED = 100;

  /** In a list; a single one shows more. */
  static final int LISTED_BODY_BYTES = 256;

  static final int READ_BODY_BYTES = 64 << 10;

  /** By one request that chooses letters, or their rate. */
  private static final int MAX_REQUEUED = 1000;

  private static final int MAX_SECONDS = 20;

  /**
   * Stands for the content of what is moved: a client may have sent something else under its id.
   */
  private static final String MOVED = "moved";

  private static final int MAX_RATE = 100_000;

  private final Weir weir;

  AdminDeadLetters(Weir weir) {
    this.weir = weir;
  }

  Future<JsonObject> list(RoutingContext context, Service service) {
    long from = Parameters.whole(context, "from", 0, 0, Long.MAX_VALUE);
    int max = (int) Parameters.whole(context, "max", DEFAULT_LISTED, 1, MAX_LISTED);
    LetterFilter filter = LetterFilter.of(context.request());
    ServiceDeadLetters letters = service.deadLetters();
    return letters.mark().compose(mark -> list(letters, mark, filter, from, max));
  }

  /** The mark was taken before the list and the count, so it covers nothing that they lack. */
  private static Future<JsonObject> list(
      ServiceDeadLetters letters, Mark mark, LetterFilter filter, long from, int max) {
    return filter
        .find(letters, null, from, max, letter -> MessageJson.of(letter, LISTED_BODY_BYTES))
        .map(
            found ->
                new JsonObject()
                    .put("count", letters.count())
                    .put("mark", mark.toString())
                    .put("next", found.nextNumber())
                    .put("letters", new JsonArray(found.items())));
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
              return MessageJson.of(letter, READ_BODY_BYTES);
            });
  }

  Future<JsonObject> requeue(RoutingContext context, Service service) {
    long number = number(context);
    return service
        .deadLetters()
        .requeue(number)
        .map(found -> one(context, service, "requeued", number, found));
  }

  /**
   * All at once, or those that are chosen one by one, as fast as is asked. With a mark, none that
   * came after the mark: a message that fails again is not requeued again.
   */
  Future<JsonObject> requeueAll(RoutingContext context, Service service) {
    LetterFilter filter = LetterFilter.of(context.request());
    long perSecond = Parameters.whole(context, "rate", 0, 1, MAX_RATE);
    Mark upTo = mark(context);
    ServiceDeadLetters letters = service.deadLetters();
    Future<?> known = upTo == null ? Future.succeededFuture() : ofThisOpening(letters, upTo);
    if (!filter.isOpen() || perSecond > 0) {
      return known.compose(yes -> requeueSome(context, service, filter, perSecond, upTo));
    }
    return known
        .compose(yes -> upTo == null ? letters.requeueAll() : letters.requeueAll(upTo))
        .map(count -> all(context, service, "requeued", count));
  }

  /**
   * Fails for a mark from before a restart: after a loss of power its numbers may be those of other
   * letters.
   */
  private static Future<Mark> ofThisOpening(ServiceDeadLetters letters, Mark listed) {
    return letters
        .mark()
        .map(
            now -> {
              if (now.openedMs() != listed.openedMs()) {
                throw new ProblemException(
                    ProblemType.CONFLICT,
                    "the service was started again since mark " + listed + "; list them again");
              }
              return now;
            });
  }

  private Future<JsonObject> requeueSome(
      RoutingContext context, Service service, LetterFilter filter, long perSecond, Mark upTo) {
    long from = Parameters.whole(context, "from", 0, 0, Long.MAX_VALUE);
    // The answer must come while the client still waits for it.
    long most = perSecond == 0 ? MAX_REQUEUED : Math.min(MAX_REQUEUED, perSecond * MAX_SECONDS);
    int max = (int) Parameters.whole(context, "max", most, 1, most);
    return filter
        .find(service.deadLetters(), upTo, from, max, Letter::number)
        .compose(
            found -> {
              Paced paced = new Paced(context.vertx(), perSecond);
              return requeueFrom(service, found.items(), 0, 0, paced)
                  .map(
                      count -> {
                        AdminRoutes.log(context, service, "requeued dead letters, " + count);
                        return new JsonObject()
                            .put("requeued", count)
                            .put("next", found.nextNumber());
                      });
            });
  }

  private static Future<Long> requeueFrom(
      Service service, List<Long> numbers, int place, long count, Paced paced) {
    if (place == numbers.size()) {
      return Future.succeededFuture(count);
    }
    return paced
        .next(place)
        .compose(due -> service.deadLetters().requeue(numbers.get(place)))
        .compose(
            found -> requeueFrom(service, numbers, place + 1, found ? count + 1 : count, paced));
  }

  /** Lets one through after the other, each in its time. */
  private static final class Paced {
    private final Vertx vertx;
    private final long perSecond;
    private final long startNs = System.nanoTime();

    Paced(Vertx vertx, long perSecond) {
      this.vertx = vertx;
      this.perSecond = perSecond;
    }

    Future<?> next(int place) {
      long dueNs = perSecond == 0 ? 0 : place * 1_000_000_000L / perSecond;
      long waitNs = dueNs - (System.nanoTime() - startNs);
      // A timer has whole milliseconds, and none lets a letter through before its time.
      return waitNs <= 0 ? Future.succeededFuture() : vertx.timer((waitNs + 999_999) / 1_000_000);
    }
  }

  /**
   * Adds the message to another service, durably, and then removes it here. It is never lost, and
   * the id that it gets there keeps it from being added twice.
   */
  Future<JsonObject> move(RoutingContext context, Service service) {
    long number = number(context);
    String to = context.request().getParam("to");
    Service target = to == null ? null : weir.service(to);
    if (target == null || target == service) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST,
          "to is " + to + ", allowed is the address of another service of this node");
    }
    return service
        .deadLetters()
        .list(number, 1)
        .compose(
            letters -> {
              if (letters.isEmpty() || letters.get(0).number() != number) {
                throw missing(service, number);
              }
              return send(service, letters.get(0), to);
            })
        .compose(id -> service.deadLetters().purge(number))
        .map(
            purged -> {
              if (!purged) {
                throw new ProblemException(
                    ProblemType.CONFLICT,
                    "dead letter "
                        + number
                        + " was requeued or purged meanwhile; "
                        + to
                        + " has its message all the same");
              }
              AdminRoutes.log(context, service, "moved dead letter " + number + " to " + to);
              return new JsonObject().put("moved", 1);
            });
  }

  private Future<String> send(Service from, Letter letter, String to) {
    if (!letter.decoded()) {
      throw new ProblemException(
          ProblemType.CONFLICT, "the body cannot be decoded: register its codec first");
    }
    String id = "moved-" + from.address() + "-" + letter.number() + "-" + letter.diedAtMs();
    // Its delay and its expiry were of the first send: it has waited.
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(letter.headers());
    headers.remove(ServiceMessage.DELAY_MS).remove(ServiceMessage.EXPIRES_IN_MS);
    DeliveryOptions options = new DeliveryOptions().setHeaders(headers);
    MessageOptions named =
        MessageOptions.NONE.withId(id).withFingerprint(MOVED).withKey(letter.key());
    return weir.send(to, letter.body(), Durability.MACHINE, options, named)
        .recover(
            refused ->
                Future.failedFuture(
                    new ProblemException(
                        ProblemType.CONFLICT, to + " does not take it: " + refused.getMessage())));
  }

  Future<JsonObject> purge(RoutingContext context, Service service) {
    long number = number(context);
    return service
        .deadLetters()
        .purge(number)
        .map(found -> one(context, service, "purged", number, found));
  }

  /** Only those that the caller knows of, by their count and the mark of the list. */
  Future<JsonObject> purgeAll(RoutingContext context, Service service) {
    long expected = Parameters.whole(context, "count", -1, 0, Long.MAX_VALUE);
    Mark listed = mark(context);
    ServiceDeadLetters letters = service.deadLetters();
    return letters
        .mark()
        .compose(
            now -> {
              long count = letters.count();
              if (count != expected || !now.equals(listed)) {
                boolean others = count == expected && listed != null;
                throw new ProblemException(
                    ProblemType.CONFLICT,
                    "there are "
                        + count
                        + " dead letters"
                        + (others ? ", others than those that were listed" : "")
                        + "; to purge them all, say so: ?count="
                        + count
                        + "&mark="
                        + now);
              }
              return letters.purgeAll(now);
            })
        .map(purged -> all(context, service, "purged", purged));
  }

  /** Null if the request has none. */
  private static Mark mark(RoutingContext context) {
    String text = context.request().getParam("mark");
    try {
      return text == null ? null : Mark.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.BAD_REQUEST, e.getMessage());
    }
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
    return Parameters.whole("number", context.pathParam("number"), 0, Long.MAX_VALUE);
  }
}
