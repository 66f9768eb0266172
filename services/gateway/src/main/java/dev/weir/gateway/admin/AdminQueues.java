package dev.weir.gateway.admin;

import dev.weir.flow.Weir;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.queue.QueueSummary;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** What an operator may do to the queues that no service of the node has open. */
final class AdminQueues {
  private final Weir weir;

  AdminQueues(Weir weir) {
    this.weir = weir;
  }

  Future<JsonObject> list() {
    return weir.unservedQueues()
        .map(
            queues ->
                new JsonObject()
                    .put("queues", new JsonArray(queues.stream().map(AdminQueues::json).toList())));
  }

  private static JsonObject json(QueueSummary queue) {
    return new JsonObject()
        .put("name", queue.name())
        .put("waiting", queue.waiting())
        .put("scheduled", queue.scheduled())
        .put("deadLetters", queue.dead())
        .put("bytes", queue.bytes())
        .put("mark", mark(queue));
  }

  /** Another one as soon as the queue has a message that it had not. */
  private static String mark(QueueSummary queue) {
    return Long.toString(queue.lastSequence());
  }

  /** Only with as many messages as the caller knows of, and none that came later. */
  Future<JsonObject> delete(RoutingContext context) {
    String name = context.pathParam("name");
    long expected = Parameters.whole(context, "count", -1, 0, Long.MAX_VALUE);
    String mark = context.request().getParam("mark");
    return weir.unservedQueues()
        .compose(queues -> weir.deleteQueue(confirmed(queues, name, expected, mark)))
        .map(
            deleted -> {
              AdminRoutes.log(
                  context,
                  "queue "
                      + name
                      + " deleted, with "
                      + (deleted.waiting() + deleted.scheduled())
                      + " messages and "
                      + deleted.dead()
                      + " dead letters");
              return new JsonObject().put("deleted", messages(deleted));
            })
        .recover(failure -> Future.failedFuture(served(failure)));
  }

  private String confirmed(List<QueueSummary> queues, String name, long expected, String mark) {
    if (weir.service(name) != null && weir.service(name).queueStats() != null) {
      throw new ProblemException(ProblemType.CONFLICT, name + " is served");
    }
    QueueSummary queue =
        queues.stream()
            .filter(each -> each.name().equals(name))
            .findAny()
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "there is no queue " + name));
    boolean others = messages(queue) == expected && mark != null;
    if (messages(queue) != expected || !mark(queue).equals(mark)) {
      throw new ProblemException(
          ProblemType.CONFLICT,
          "there are "
              + (queue.waiting() + queue.scheduled())
              + " messages and "
              + queue.dead()
              + " dead letters"
              + (others ? ", others than those that were listed" : "")
              + "; to delete the queue with them, say so: ?count="
              + messages(queue)
              + "&mark="
              + mark(queue));
    }
    return name;
  }

  private static long messages(QueueSummary queue) {
    return queue.waiting() + queue.scheduled() + queue.dead();
  }

  /** A service may have opened it, or somebody else deleted it, in between. */
  private static Throwable served(Throwable failure) {
    return failure instanceof IllegalStateException || failure instanceof IllegalArgumentException
        ? new ProblemException(ProblemType.CONFLICT, failure.getMessage())
        : failure;
  }
}
