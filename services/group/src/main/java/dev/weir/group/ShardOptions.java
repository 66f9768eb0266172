package dev.weir.group;

import static dev.weir.options.OptionTypes.texts;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import io.vertx.core.json.JsonObject;
import java.util.HashSet;
import java.util.List;

/**
 * How a served group is split: into shards, each a group of its own with its own primary, spread
 * over any number of members. A shard has all messages of its keys.
 */
public final class ShardOptions extends JsonOptions<ShardOptions> {
  /** {@value} shards. */
  public static final int DEFAULT_SHARDS = 16;

  /** {@value} members hold a shard. */
  public static final int DEFAULT_COPIES = 3;

  /** The most shards of a name, {@value}. */
  public static final int MAX_SHARDS = 4096;

  /** The most copies of a shard, {@value}: a group has no more members. */
  public static final int MAX_COPIES = 3;

  /** The most members over which shards are spread, {@value}. */
  public static final int MAX_MEMBERS = 1000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<List<String>> MEMBERS =
      OPTIONS
          .add("members", members(), List.of())
          .does("Names of the members over which the shards are spread, at least one, each once.");
  private static final Option<Integer> SHARDS =
      OPTIONS
          .integer("shards", DEFAULT_SHARDS, 1, MAX_SHARDS)
          .does("Groups behind the name; a key always belongs to the same one.");
  private static final Option<Integer> COPIES =
      OPTIONS
          .integer("copies", DEFAULT_COPIES, 1, MAX_COPIES)
          .does("Members that hold a shard; with fewer members all hold all.");

  public ShardOptions() {
    super(OPTIONS);
  }

  public ShardOptions(ShardOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public ShardOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  /** Empty by default, which no group takes. */
  public List<String> getMembers() {
    return get(MEMBERS);
  }

  /**
   * Names of the members over which the shards are spread, 1 to {@value #MAX_MEMBERS}, the same on
   * all of them. They stay for the life of the service.
   *
   * @throws IllegalArgumentException if a name is none, or there twice
   */
  public ShardOptions setMembers(List<String> members) {
    return set(MEMBERS, members);
  }

  private static OptionType<List<String>> members() {
    return texts(OptionTypes::name)
        .with(
            "up to " + MAX_MEMBERS + " names, each once",
            (option, members) -> {
              Checks.range(option, members.size(), 0, MAX_MEMBERS);
              if (new HashSet<>(members).size() != members.size()) {
                throw Checks.notAllowed(option, members, "each name once");
              }
              return members;
            });
  }

  public int getShards() {
    return get(SHARDS);
  }

  /**
   * Groups behind the name, 1 to {@value #MAX_SHARDS}; default {@value #DEFAULT_SHARDS}. It stays
   * for the life of the service, because it decides where a key belongs: take a few for each member
   * that there may ever be.
   */
  public ShardOptions setShards(int shards) {
    return set(SHARDS, shards);
  }

  public int getCopies() {
    return get(COPIES);
  }

  /**
   * Members that hold a shard, 1 to {@value #MAX_COPIES}; default {@value #DEFAULT_COPIES}. With
   * fewer members than copies every member holds every shard.
   */
  public ShardOptions setCopies(int copies) {
    return set(COPIES, copies);
  }
}
