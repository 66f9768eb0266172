package dev.weir.group;

import static dev.weir.options.OptionTypes.texts;

import dev.weir.cluster.GroupOptions;
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

  /** {@value}: those that hold a shard decide alone. */
  public static final boolean DEFAULT_WITNESS = false;

  /** {@value} replica. */
  public static final int DEFAULT_MOVES_PER_MEMBER = 1;

  /** {@value} ms. */
  public static final int DEFAULT_MOVE_PAUSE_MS = 1000;

  /** {@value}: for ever. */
  public static final int DEFAULT_MEMBER_LOST_AFTER_MS = 0;

  private static final int LEAST_LOST_AFTER_MS = 10_000;
  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<List<String>> MEMBERS =
      OPTIONS
          .add("members", members(), List.of())
          .does("Names of the members with which the service begins, at least one, each once.");
  private static final Option<Integer> SHARDS =
      OPTIONS
          .integer("shards", DEFAULT_SHARDS, 1, MAX_SHARDS)
          .does("Groups behind the name; a key always belongs to the same one.");
  private static final Option<Integer> COPIES =
      OPTIONS
          .integer("copies", DEFAULT_COPIES, 1, MAX_COPIES)
          .does("Members that hold a shard; with fewer members all hold all.");
  private static final Option<Boolean> WITNESS =
      OPTIONS
          .flag("witness", DEFAULT_WITNESS)
          .does("Whether a member beside the two that hold a shard votes for it; needs 2 copies.");
  private static final Option<Integer> MOVES_PER_MEMBER =
      OPTIONS
          .integer("movesPerMember", DEFAULT_MOVES_PER_MEMBER, 1, 64)
          .does("Replicas that a member sends or gets at a time while shards move.");
  private static final Option<Integer> MOVE_PAUSE_MS =
      OPTIONS
          .integer("movePauseMs", DEFAULT_MOVE_PAUSE_MS, 0, 3_600_000)
          .does("Least time between the beginnings of two moves of a member.");
  private static final Option<Integer> MEMBER_LOST_AFTER_MS =
      OPTIONS
          .add("memberLostAfterMs", lostAfter(), DEFAULT_MEMBER_LOST_AFTER_MS)
          .does("How long a member is away until its shards move to others; 0 for ever.");

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
   * Names of the members with which the service begins, 1 to {@value #MAX_MEMBERS}, the same on all
   * members. The list stays for the life of the service: members that come later are not in it, and
   * get shards by {@link GroupService#addMember}.
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

  public boolean isWitness() {
    return get(WITNESS);
  }

  /**
   * Whether each shard has a {@linkplain GroupOptions#setWitness witness}, a third member that
   * votes and holds nothing of it, where there are three members or more; default {@value
   * #DEFAULT_WITNESS}. Needs 2 {@linkplain #setCopies copies}. Then a shard of which any of the
   * three is lost, hangs or is cut off goes on, if {@link GroupOptions#setMinInSync minInSync} is
   * 1; what it acknowledges while one of the two that hold it is away is on one disk. While a
   * replica of it moves, a shard has no witness. This option stays for the life of the service.
   */
  public ShardOptions setWitness(boolean witness) {
    return set(WITNESS, witness);
  }

  public int getMovesPerMember() {
    return get(MOVES_PER_MEMBER);
  }

  /**
   * Replicas that a member sends or gets at a time while shards move, 1 to 64; default {@value
   * #DEFAULT_MOVES_PER_MEMBER}.
   */
  public ShardOptions setMovesPerMember(int moves) {
    return set(MOVES_PER_MEMBER, moves);
  }

  public int getMovePauseMs() {
    return get(MOVE_PAUSE_MS);
  }

  /**
   * Least time between the beginnings of two moves of a member, ms, 0 to an hour; default {@value
   * #DEFAULT_MOVE_PAUSE_MS}. With a longer pause moves take less of what the members can do.
   */
  public ShardOptions setMovePauseMs(int pauseMs) {
    return set(MOVE_PAUSE_MS, pauseMs);
  }

  public int getMemberLostAfterMs() {
    return get(MEMBER_LOST_AFTER_MS);
  }

  /**
   * How long a member is away until it is {@linkplain GroupService#removeMember removed}, ms,
   * 10,000 to a week; default {@value #DEFAULT_MEMBER_LOST_AFTER_MS}, for ever: then an operator
   * decides. Choose it longer than a restart takes. A member that comes back later has to be added
   * again.
   */
  public ShardOptions setMemberLostAfterMs(int afterMs) {
    return set(MEMBER_LOST_AFTER_MS, afterMs);
  }

  private static OptionType<Integer> lostAfter() {
    return OptionTypes.integer(0, 604_800_000)
        .with(
            "0 or " + LEAST_LOST_AFTER_MS + " to 604800000",
            (option, afterMs) -> {
              if (afterMs != 0) {
                Checks.range(option, afterMs, LEAST_LOST_AFTER_MS, 604_800_000);
              }
              return afterMs;
            });
  }
}
