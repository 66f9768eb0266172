package dev.weir.group.wire;

import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * What a member of a service tells all others: which members hold the shards of which it is
 * primary.
 *
 * @param member who tells it
 * @param asks whether it wants to hear the same of all others now
 * @param shards of which it is primary; all of them, or those that have changed
 * @param planned the members over which shards are to be spread; null if it does not know
 * @param moves how many replicas still have to move; -1 if it does not know
 */
public record ShardNews(
    String member, boolean asks, List<ShardStatus> shards, List<String> planned, int moves) {
  /** Members publish news at this address with the service behind it. */
  public static final String PUBLISHED_AT = "weir.group.news.";

  /** Members are asked at this prefix of a {@link MemberEndpoint}, for news and for moves. */
  public static final String ASKED_AT = "weir.group.moves.";

  /** Member of a request that says what is asked for. */
  public static final String DO = "do";

  /** Asks for what a member knows of all shards. */
  public static final String NEWS = "news";

  public JsonObject toJson() {
    JsonArray list = new JsonArray();
    shards.forEach(shard -> list.add(toJson(shard)));
    JsonObject json =
        new JsonObject().put("member", member).put("shards", list).put("moves", moves);
    if (asks) {
      json.put("asks", true);
    }
    return planned == null ? json : json.put("planned", new JsonArray(planned));
  }

  private static JsonObject toJson(ShardStatus shard) {
    JsonObject json =
        new JsonObject()
            .put("shard", shard.shard())
            .put("epoch", shard.epoch())
            .put("version", shard.version())
            .put("primary", shard.primary())
            .put("members", new JsonArray(shard.places().names()))
            .put("inSync", new JsonArray(shard.inSync()));
    return shard.witness() == null ? json : json.put("witness", shard.witness());
  }

  public static ShardNews of(JsonObject json) {
    JsonArray planned = json.getJsonArray("planned");
    return new ShardNews(
        json.getString("member"),
        json.getBoolean("asks", false),
        json.getJsonArray("shards").stream().map(each -> shard((JsonObject) each)).toList(),
        planned == null ? null : texts(planned),
        json.getInteger("moves", -1));
  }

  private static ShardStatus shard(JsonObject json) {
    return new ShardStatus(
        json.getInteger("shard"),
        json.getLong("epoch"),
        json.getLong("version"),
        json.getString("primary"),
        new ShardPlaces(texts(json.getJsonArray("members")), json.getString("witness")),
        texts(json.getJsonArray("inSync")));
  }

  private static List<String> texts(JsonArray array) {
    return array.stream().map(String::valueOf).toList();
  }
}
