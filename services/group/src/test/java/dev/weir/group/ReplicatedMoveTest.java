package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.Role;
import dev.weir.state.Document;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Query;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a factory of documents come and go while it is used; all are in this process. */
@Tag("slow")
@Timeout(900)
class ReplicatedMoveTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  private final List<Integer> ports = FreePorts.find(2 * NAMES.size() + 1);
  private final Map<String, TestMember> members = new TreeMap<>();
  private final Map<String, Groups> groups = new TreeMap<>();
  private final Map<String, DocumentFactory> factories = new TreeMap<>();
  private TestMember outside;
  @TempDir private Path directory;

  private List<Integer> hazelcastPorts() {
    return ports.subList(0, NAMES.size() + 1);
  }

  private void start(String name) {
    int index = NAMES.indexOf(name);
    TestMember member =
        new TestMember(
            name,
            ports.get(index),
            ports.get(NAMES.size() + 1 + index),
            hazelcastPorts(),
            directory.resolve(name));
    members.put(name, member);
    groups.put(
        name, Futures.result("groups", Groups.start(member.vertx, member.weir, member.node)));
    factories.put(name, ReplicatedProcess.serve(member, groups.get(name)));
  }

  private void stop(String name) {
    factories.remove(name);
    Futures.result("groups", groups.remove(name).close());
    members.remove(name).close();
  }

  @AfterEach
  void close() {
    List.copyOf(members.keySet()).forEach(this::stop);
    if (outside != null) {
      outside.close();
    }
  }

  private GroupService on(String name) {
    return ReplicatedFactories.service(groups.get(name), ReplicatedProcess.FACTORY);
  }

  private int held(String name) {
    return on(name).replicas().size();
  }

  private long whole() {
    return groups.keySet().stream()
        .flatMap(name -> on(name).replicas().stream())
        .map(replica -> replica.stats())
        .filter(stats -> stats.role() == Role.PRIMARY && stats.inSync() == MoveProcess.COPIES)
        .count();
  }

  /** All replicas are where they are to be, in sync, and nobody holds more. */
  private void awaitPlaced(String... holders) {
    Await.until(
        () ->
            "all are placed: "
                + groups.keySet().stream().map(name -> name + " " + status(name)).toList(),
        MoveCluster.DEADLINE_S,
        () ->
            List.of(holders).equals(on(holders[0]).members())
                && List.of(holders).stream().allMatch(name -> on(name).moves() == 0)
                && groups.keySet().stream().mapToInt(this::held).sum()
                    == MoveProcess.SHARDS * MoveProcess.COPIES
                && whole() == MoveProcess.SHARDS);
  }

  private JsonObject status(String name) {
    return Futures.result("the status", on(name).operate(new JsonObject()));
  }

  /** Asks again: a member that has just started may not be heard yet by the one that is asked. */
  private void change(String member, String what, String name) {
    Await.until(
        what + " " + name,
        () -> {
          Future<JsonObject> made = on(member).operate(new JsonObject().put(what, name));
          Await.until("an answer", made::isComplete);
          return made.succeeded();
        });
  }

  @Test
  void documentsFollowMembersThatComeAndGo() throws IOException {
    outside =
        new TestMember(
            "outside", ports.get(NAMES.size()), 0, hazelcastPorts(), directory.resolve("outside"));
    MoveProcess.FIRST.forEach(this::start);
    awaitPlaced("a", "b", "c");
    // Before any shard has moved, the files are those of a factory whose members stayed.
    assertThat(Files.readString(directory.resolve("b/groups/documents-cars~shards")))
        .contains("\"version\" : 1");
    RemoteFactory remote = ReplicatedProcess.connect(outside);
    DocumentLoad load = DocumentLoad.start(outside.vertx, remote);
    load.awaitProgress();

    start("d");
    assertThat(held("d")).isZero();
    change("a", "add", "d");
    awaitPlaced("a", "b", "c", "d");
    assertThat(held("d")).isEqualTo(MoveProcess.SHARDS * MoveProcess.COPIES / 4);
    load.awaitProgress();

    change("d", "remove", "a");
    awaitPlaced("b", "c", "d");
    assertThat(held("a")).isZero();
    load.awaitProgress();
    // A member that holds nothing serves the factory too.
    assertHasAll("a", load);
    stop("a");
    load.awaitProgress();

    // It comes back with the files that it has left.
    start("a");
    change("b", "add", "a");
    change("b", "remove", "c");
    awaitPlaced("a", "b", "d");
    load.awaitProgress();
    load.stop();
    assertThat(load.failedQueries()).isEmpty();

    String copies = copies("b");
    for (String name : groups.keySet()) {
      Await.until(name + " has what b has", () -> copies(name).equals(copies));
      load.acknowledged()
          .forEach(
              (key, written) ->
                  assertThat(DocumentLoad.Written.of(get(name, key))).as(key).isEqualTo(written));
      assertHasAll(name, load);
    }
    load.check();
    Futures.result("the factory is closed", remote.close());
    assertANodeThatConnectsLaterFindsTheMembersOfNow(load);
  }

  private Document get(String name, String key) {
    return Futures.result("a read", factories.get(name).get(key));
  }

  private void assertHasAll(String name, DocumentLoad load) {
    Query all = new Query().setFilter("n > 0");
    assertThat(Futures.result("a count", factories.get(name).count(all)))
        .isGreaterThanOrEqualTo(load.acknowledged().size());
    assertThat(get(name, "key 1").version()).isPositive();
  }

  private String copies(String name) {
    return Futures.result(
        "the copies of " + name, ReplicatedProcess.copies(members.get(name).vertx, on(name)));
  }

  /** Its options name members of the beginning, one of which has left. */
  private void assertANodeThatConnectsLaterFindsTheMembersOfNow(DocumentLoad load) {
    stop("c");
    RemoteFactory late = ReplicatedProcess.connect(outside);
    load.acknowledged()
        .forEach(
            (key, written) -> {
              JsonObject next = new JsonObject().put("n", written.n() + 1);
              assertThat(Futures.result("a put", late.put(key, next)).version())
                  .as(key)
                  .isEqualTo(written.version() + 1);
              assertThat(Futures.result("a read", late.get(key)).json()).isEqualTo(next);
            });
    Futures.result("the factory is closed", late.close());
  }
}
