package dev.weir.group;

import dev.weir.flow.FlowFailure;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/** What operators ask a service of shards for, in JSON. */
final class ShardCommands {
  private static final String ADD = "add";
  private static final String REMOVE = "remove";
  private static final String MOVE = "move";
  private static final String FROM = "from";
  private static final String TO = "to";

  private ShardCommands() {}

  /** Makes a change, or none; completes with the status. */
  static Future<JsonObject> run(GroupService service, JsonObject command) {
    return Future.succeededFuture()
        .compose(begun -> change(service, command))
        .map(changed -> status(service))
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof ReplyException
                        ? failure
                        : new ReplyException(
                            ReplyFailure.RECIPIENT_FAILURE,
                            FlowFailure.BAD_REQUEST.code(),
                            failure.getMessage())));
  }

  private static Future<Void> change(GroupService service, JsonObject command) {
    Set<String> names = command.fieldNames();
    if (names.isEmpty()) {
      return Future.succeededFuture();
    }
    if (names.equals(Set.of(ADD))) {
      return service.addMember(text(command, ADD));
    }
    if (names.equals(Set.of(REMOVE))) {
      return service.removeMember(text(command, REMOVE));
    }
    if (names.equals(Set.of(MOVE, FROM, TO))) {
      if (!(command.getValue(MOVE) instanceof Integer shard)) {
        throw Checks.notAllowed(MOVE, command.getValue(MOVE), "the number of a shard");
      }
      return service.move(shard, text(command, FROM), text(command, TO));
    }
    throw Checks.notAllowed(
        "the command", names, "one of [add], [remove], [move, from, to] and []");
  }

  private static String text(JsonObject command, String name) {
    if (!(command.getValue(name) instanceof String text)) {
      throw Checks.notAllowed(name, command.getValue(name), "the name of a member");
    }
    return text;
  }

  private static JsonObject status(GroupService service) {
    MoveStats moves = service.moveStats();
    JsonArray shards = new JsonArray();
    for (int shard = 0; shard < service.shards(); shard++) {
      JsonObject one =
          new JsonObject()
              .put("shard", shard)
              .put("members", new JsonArray(service.members(shard)));
      String witness = service.witness(shard);
      shards.add(witness == null ? one : one.put("witness", witness));
    }
    return new JsonObject()
        .put("member", service.self())
        .put("members", new JsonArray(service.members()))
        .put("replicas", service.replicas().size())
        .put("moves", moves.left())
        .put("stepsDone", moves.done())
        .put("stepsFailed", moves.failed())
        .put("waiting", new JsonArray(moves.waiting()))
        .put("shards", shards);
  }
}
