package dev.weir.documents;

import dev.weir.cluster.GroupOptions;
import dev.weir.group.ReplicatedFactories;
import dev.weir.group.ShardOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The settings of the program: those of the store, but for its directory, its factories, and how
 * these are replicated.
 *
 * @param options without the directory, which is that of the node
 * @param factories by name
 * @param shards without members for a store of one node
 * @param group what an acknowledgement means in each shard; without name, members and witness
 * @param memberCommands whether clients may add and remove members, and move shards
 */
record StoreSettings(
    DocumentsOptions options,
    Map<String, FactoryOptions> factories,
    ShardOptions shards,
    GroupOptions group,
    boolean memberCommands) {
  private static final String FACTORIES = "factories";
  private static final String DIRECTORY = "directory";
  private static final String GROUP = "group";
  private static final String MEMBER_COMMANDS = "memberCommands";

  private static final String MIN_IN_SYNC_NAME = "minInSync";

  /** A write outlives the loss of a member by default. */
  private static final int MIN_IN_SYNC = 2;

  /** Options of a group that the shards have, or that no shard has. */
  private static final List<String> NO_GROUP_SETTINGS = List.of("name", "members", "witness");

  /** One factory, so that the program can be tried out without settings. */
  static final StoreSettings DEFAULT =
      new StoreSettings(
          new DocumentsOptions(),
          Map.of("things", new FactoryOptions()),
          new ShardOptions(),
          new GroupOptions().setMinInSync(MIN_IN_SYNC),
          false);

  /** Whether the factories are on several members. */
  boolean isReplicated() {
    return !shards.getMembers().isEmpty();
  }

  JsonObject toJson() {
    JsonObject json = options.toJson();
    json.remove(DIRECTORY);
    JsonObject all = new JsonObject();
    factories.forEach((name, factory) -> all.put(name, factory.toJson()));
    JsonObject groups = new JsonObject(group.toMap());
    NO_GROUP_SETTINGS.forEach(groups::remove);
    return json.put(FACTORIES, all)
        .mergeIn(shards.toJson())
        .put(GROUP, groups)
        .put(MEMBER_COMMANDS, memberCommands);
  }

  /**
   * @throws IllegalArgumentException naming what is wrong
   */
  static StoreSettings of(JsonObject json) {
    if (json.containsKey(DIRECTORY)) {
      throw new IllegalArgumentException("directory is store.directory, or --data");
    }
    JsonObject rest = json.copy();
    Object all = rest.remove(FACTORIES);
    if (!(all instanceof JsonObject named)) {
      throw new IllegalArgumentException(
          "factories is " + all + ", allowed is an object with the options of each by its name");
    }
    Object groups = rest.containsKey(GROUP) ? rest.remove(GROUP) : new JsonObject();
    Object commands = rest.containsKey(MEMBER_COMMANDS) ? rest.remove(MEMBER_COMMANDS) : false;
    if (!(commands instanceof Boolean memberCommands)) {
      throw new IllegalArgumentException(
          MEMBER_COMMANDS + " is " + commands + ", allowed is true or false");
    }
    ShardOptions shards = new ShardOptions(shards(rest));
    GroupOptions group = section(GROUP, groups, each -> group(each, shards));
    boolean isReplicated = !shards.getMembers().isEmpty();
    Map<String, FactoryOptions> factories = new TreeMap<>();
    named.forEach(
        each ->
            factories.put(
                each.getKey(),
                section(
                    FACTORIES + "." + each.getKey(),
                    each.getValue(),
                    one -> factory(one, isReplicated ? group : null))));
    return new StoreSettings(new DocumentsOptions(rest), factories, shards, group, memberCommands);
  }

  /**
   * @param group null for a store of one node
   */
  private static FactoryOptions factory(JsonObject json, GroupOptions group) {
    FactoryOptions options = new FactoryOptions(json);
    if (group != null) {
      ReplicatedFactories.check(options, group);
    }
    return options;
  }

  /** Checked together with the members, if there are any. */
  private static GroupOptions group(JsonObject json, ShardOptions shards) {
    List<String> known =
        new GroupOptions()
            .declared().all().stream()
                .map(Option::name)
                .filter(name -> !NO_GROUP_SETTINGS.contains(name))
                .toList();
    for (String name : json.fieldNames()) {
      if (!known.contains(name)) {
        throw OptionSet.unknown(name, known);
      }
    }
    // Encoded and read again: the options take maps, not objects of JSON within them.
    Map<String, Object> entries = new JsonObject(json.encode()).getMap();
    entries.putIfAbsent(MIN_IN_SYNC_NAME, MIN_IN_SYNC);
    GroupOptions group = new GroupOptions(entries);
    List<String> members = shards.getMembers();
    if (!members.isEmpty()) {
      int copies = Math.min(shards.getCopies(), members.size());
      boolean hasWitness = shards.isWitness() && members.size() > copies;
      new GroupOptions(group)
          .setMembers(members.subList(0, hasWitness ? copies + 1 : copies))
          .setWitness(hasWitness ? members.get(copies) : null)
          .validate();
    }
    return group;
  }

  private static <T> T section(String name, Object value, Function<JsonObject, T> read) {
    if (!(value instanceof JsonObject json)) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is a JSON object");
    }
    try {
      return read.apply(json);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** Takes the options of the shards out of all. */
  private static JsonObject shards(JsonObject all) {
    JsonObject shards = new JsonObject();
    new ShardOptions()
        .declared()
        .all()
        .forEach(
            option -> {
              if (all.containsKey(option.name())) {
                shards.put(option.name(), all.remove(option.name()));
              }
            });
    return shards;
  }
}
