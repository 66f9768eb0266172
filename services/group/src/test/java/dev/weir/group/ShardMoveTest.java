package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.Role;
import dev.weir.flow.FlowFailure;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryContext;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a service of shards come and go while it runs; all nodes are in this process. */
@Tag("slow")
@Timeout(900)
class ShardMoveTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final List<String> FIRST = List.of("a", "b", "c");
  private static final int SHARDS = 6;
  private static final int COPIES = 2;
  private static final int KEYS = 24;
  private static final long DEADLINE_S = 120;

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size());
  private final Map<String, TestMember> members = new TreeMap<>();
  private final Map<String, Groups> groups = new TreeMap<>();
  private final Map<String, GroupService> services = new TreeMap<>();
  private int lostAfterMs;

  /** Nothing that is published reaches this member. */
  private String deaf;

  private int shards = SHARDS;
  private int copies = COPIES;
  @TempDir private Path directory;

  private void start(String name) {
    int index = NAMES.indexOf(name);
    TestMember member =
        new TestMember(
            name,
            ports.get(index),
            ports.get(NAMES.size() + index),
            ports.subList(0, NAMES.size()),
            directory.resolve(name));
    members.put(name, member);
    if (name.equals(deaf)) {
      member.vertx.eventBus().addInboundInterceptor(ShardMoveTest::passNoNews);
    }
    groups.put(
        name, Futures.result("groups", Groups.start(member.vertx, member.weir, member.node)));
    serve(name);
  }

  private void serve(String name) {
    services.put(
        name,
        Counter.serve(
            name,
            groups.get(name),
            new ShardOptions()
                .setMembers(FIRST)
                .setShards(shards)
                .setCopies(copies)
                .setMovePauseMs(0)
                .setMemberLostAfterMs(lostAfterMs)));
  }

  private static void passNoNews(DeliveryContext<Object> delivery) {
    if (!delivery.message().address().startsWith("weir.group.news.")) {
      delivery.next();
    }
  }

  private void stop(String name) {
    services.remove(name);
    Futures.result("groups", groups.remove(name).close());
    members.remove(name).close();
  }

  @AfterEach
  void close() {
    List.copyOf(members.keySet()).forEach(this::stop);
  }

  private GroupService on(String name) {
    return services.get(name);
  }

  private String placement() {
    StringBuilder text = new StringBuilder();
    services.forEach(
        (name, service) -> {
          text.append(name).append(" moves ").append(service.moves()).append(' ');
          service
              .replicas()
              .forEach(
                  each ->
                      text.append(each.options().getName())
                          .append(each.members())
                          .append(each.stats().role())
                          .append(each.stats().inSync())
                          .append(' '));
          text.append('\n');
        });
    return text.toString();
  }

  private int held(String name) {
    return on(name).replicas().size();
  }

  /** All replicas are where they are to be, in sync, and nobody holds more. */
  private void awaitPlaced(String... holders) {
    Await.until(
        () -> "all are placed: " + placement(),
        DEADLINE_S,
        () ->
            Stream.of(holders).allMatch(name -> on(name).moves() == 0)
                && Stream.of(holders).mapToInt(this::held).sum() == shards * copies
                && services.keySet().stream().mapToInt(this::held).sum() == shards * copies
                && List.of(on(holders[0]).members().toArray()).equals(List.of(holders))
                && wholePrimaries() == shards);
  }

  private long wholePrimaries() {
    return services.values().stream()
        .flatMap(service -> service.replicas().stream())
        .map(replica -> replica.stats())
        .filter(stats -> stats.role() == Role.PRIMARY && stats.inSync() == copies)
        .count();
  }

  private long primaries(String name) {
    return on(name).replicas().stream()
        .filter(replica -> replica.stats().role() == Role.PRIMARY)
        .count();
  }

  /** Has all roles of a member handed to another one. */
  private void handOver(String from, String to) {
    for (ProcessorGroup group : on(from).replicas()) {
      if (group.stats().role() == Role.PRIMARY) {
        try {
          group.handOver(to);
        } catch (IllegalStateException e) {
          // It is not in sync at the moment, or leads no more: the next look tells.
        }
      }
    }
  }

  /** A role that goes to another member than asked is handed over again a minute later. */
  @Test
  void aMemberThatIsAddedWhileRolesAreUnevenGetsItsShareOfThem() {
    shards = 8;
    copies = 3;
    FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
    // As it may be after members were restarted.
    Await.until(
        () -> "c leads all: " + placement(),
        DEADLINE_S,
        () -> {
          handOver("a", "c");
          handOver("b", "c");
          return primaries("c") == shards;
        });
    start("d");
    change("d is added", () -> on("a").addMember("d"));
    awaitPlaced("a", "b", "c", "d");
    Await.until(
        () -> "each member leads its share: " + placement(),
        2 * DEADLINE_S,
        () -> NAMES.stream().allMatch(name -> primaries(name) >= 1 && primaries(name) <= 3));
    awaitPlaced("a", "b", "c", "d");
    Await.until(
        "no role has to be handed over, as each member says",
        DEADLINE_S,
        () -> NAMES.stream().allMatch(name -> on(name).moves() == 0));
  }

  /** Asks again: a member that has just started may not be heard yet by the one that is asked. */
  private static void change(String what, Supplier<Future<Void>> change) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Await.until(
        () -> what + ": " + failure,
        () -> {
          Future<Void> made = change.get();
          Await.until(what, made::isComplete);
          failure.set(made.cause());
          return made.succeeded();
        });
  }

  private static void goesOn(CountingLoad load) {
    long before = load.answered();
    Await.until("requests are answered", () -> load.answered() > before + 4 * KEYS);
  }

  @Test
  void aMemberThatNoNewsReachesAsksForIt() {
    deaf = "c";
    FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
  }

  @Test
  void shardsFollowMembersThatComeAndGoAndComeBackAndNothingIsLost() {
    FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
    CountingLoad load = CountingLoad.start(members.get("c").vertx, "counter", KEYS);
    goesOn(load);

    start("d");
    assertThat(held("d")).isZero();
    Set<String> watched = ConcurrentHashMap.newKeySet();
    for (String name : List.of("a", "d")) {
      Futures.result(
          "watched",
          on(name)
              .watch(
                  group -> {
                    String replica = name + " " + group.options().getName();
                    watched.add(replica);
                    return () -> watched.remove(replica);
                  }));
    }
    Await.until(
        () -> "the replicas of a are watched: " + watched,
        () -> watched.size() == SHARDS * COPIES / 3);
    change("d is added", () -> on("a").addMember("d"));
    change("d is added again", () -> on("d").addMember("d"));
    awaitPlaced("a", "b", "c", "d");
    assertThat(held("d")).isEqualTo(SHARDS * COPIES / 4);
    Await.until(
        () -> "the replicas of a and d are watched: " + watched,
        DEADLINE_S,
        () -> watched.size() == 2 * SHARDS * COPIES / 4);
    Await.until("d is primary of a shard", DEADLINE_S, () -> primaries("d") > 0);
    goesOn(load);

    change("a is removed", () -> on("b").removeMember("a"));
    awaitPlaced("b", "c", "d");
    assertThat(held("a")).isZero();
    stop("a");
    goesOn(load);

    // A member comes back with what it held, though its options name the members of the beginning.
    stop("d");
    start("d");
    awaitPlaced("b", "c", "d");
    assertThat(held("d")).isEqualTo(SHARDS * COPIES / 3);
    goesOn(load);

    // One that was removed holds nothing, and may be added again. It may have been stopped while
    // its last replica had ended and its log was not deleted yet.
    start("a");
    Await.until(() -> "a holds nothing: " + placement(), DEADLINE_S, () -> held("a") == 0);
    change("a is added", () -> on("a").addMember("a"));
    awaitPlaced("a", "b", "c", "d");
    goesOn(load);
    Futures.result("all is answered and read", load.stop());
    assertThat(load.wrong()).isEmpty();
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(on("a").members(shard)).hasSize(COPIES).isSubsetOf(NAMES);
    }
  }

  @Test
  void aMemberThatWasAwayWhileItsShardsMovedDeletesWhatItHeld() throws IOException {
    NAMES.forEach(this::start);
    awaitPlaced("a", "b", "c");
    CountingLoad load = CountingLoad.start(members.get("c").vertx, "counter", KEYS);
    goesOn(load);
    stop("a");
    change("d is added", () -> on("c").addMember("d"));
    change("a is removed", () -> on("c").removeMember("a"));
    awaitPlaced("b", "c", "d");
    start("a");
    Await.until(() -> "a holds nothing: " + placement(), DEADLINE_S, () -> held("a") == 0);
    awaitPlaced("b", "c", "d");

    // With an empty directory it does not begin a service of its own either.
    stop("a");
    delete(directory.resolve("a"));
    start("a");
    assertThat(held("a")).isZero();
    goesOn(load);
    Futures.result("all is answered and read", load.stop());
    assertThat(load.wrong()).isEmpty();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  @Test
  void theShardsOfAMemberThatStaysAwayMoveToTheOthers() {
    lostAfterMs = 10_000;
    FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
    CountingLoad load = CountingLoad.start(members.get("c").vertx, "counter", KEYS);
    goesOn(load);
    stop("b");
    awaitPlaced("a", "c");
    goesOn(load);
    Futures.result("all is answered and read", load.stop());
    assertThat(load.wrong()).isEmpty();
  }

  @Test
  void oneReplicaIsMovedByItsOperatorAndWhatCannotBeIsRefused() {
    FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
    List<String> before = on("a").members(1);
    String to = FIRST.stream().filter(name -> !before.contains(name)).findAny().orElseThrow();
    Futures.result(
        "it is to move",
        on("b").operate(new JsonObject().put("move", 1).put("from", before.get(0)).put("to", to)));
    Await.until(
        () -> "it has moved: " + placement(),
        DEADLINE_S,
        () ->
            FIRST.stream()
                .allMatch(
                    name ->
                        on(name).moves() == 0
                            && on(name).members(1).contains(to)
                            && !on(name).members(1).contains(before.get(0))));

    JsonObject status = Futures.result("the status", on("a").operate(new JsonObject()));
    assertThat(status.getJsonArray("shards").getJsonObject(1).getJsonArray("members"))
        .contains(to)
        .doesNotContain(before.get(0));
    assertThat(status.getString("member")).isEqualTo("a");
    assertThat(status.getInteger("replicas")).isPositive();
    Await.until(
        "no role has to be handed over",
        DEADLINE_S,
        () ->
            Futures.result("the status", on("a").operate(new JsonObject())).getInteger("moves")
                == 0);
    Await.until(
        "the move is counted",
        () -> services.values().stream().anyMatch(each -> each.moveStats().done() > 0));
    assertThat(Futures.failure("no command", on("a").operate(new JsonObject().put("ad", "x"))))
        .hasMessageContaining("the command is [ad], allowed is one of [add], [remove]");
    assertThat(Futures.failure("no name", on("a").operate(new JsonObject().put("add", 7))))
        .hasMessageContaining("add is 7, allowed is the name of a member");
    ReplyException nobody =
        (ReplyException)
            Futures.failure("nobody", on("a").operate(new JsonObject().put("add", "x")));
    assertThat(nobody.failureCode()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(nobody).hasMessage("x does not serve counter: start it there first");

    ReplyException refused =
        (ReplyException) Futures.failure("refused", on("b").move(1, before.get(0), to));
    assertThat(refused.failureCode()).isEqualTo(FlowFailure.BAD_REQUEST.code());
    assertThat(refused).hasMessageContaining("from is " + before.get(0));
    assertThat(Futures.failure("unknown", on("a").addMember("x")))
        .hasMessage("x does not serve counter: start it there first");
    assertThat(Futures.failure("no name", on("a").addMember(" ")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("member is ");
    assertThat(Futures.failure("no shard", on("a").move(-1, "a", "b")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shard is -1");
    Futures.result("one who is none is removed already", on("a").removeMember("x"));
    GroupService plain =
        Futures.result(
            "a plain group",
            groups
                .get("a")
                .serveGroup("plain", new GroupOptions().setMembers(List.of("a")), Counter::new));
    assertThat(Futures.failure("plain", plain.removeMember("a")))
        .hasMessageContaining("plain has no shards that move");
  }
}
