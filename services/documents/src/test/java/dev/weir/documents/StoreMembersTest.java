package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.TestCertificates;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store on three members, each a process, as its users reach it: over HTTP. The members replicate
 * by TLS, with a secret.
 */
@Tag("slow")
@Timeout(1_200)
class StoreMembersTest {
  private static final int SHARDS = 4;
  private static final int KEYS = 8;
  private static final int WRITES_BEFORE_KILL = 200;
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(120);

  /** What was acknowledged last of each key. */
  private final Map<String, Written> acknowledged = new ConcurrentHashMap<>();

  private final AtomicInteger writes = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;
  @TempDir private Path directory;
  private StoreMembers members;

  private record Written(int n, long version) {
    static Written of(HttpResponse<String> answer) {
      String tag = answer.headers().firstValue("etag").orElseThrow();
      return new Written(
          new JsonObject(answer.body()).getInteger("n"), Long.parseLong(tag.replace("\"", "")));
    }
  }

  @BeforeEach
  void startAll() throws Exception {
    TestCertificates.Pem tls = TestCertificates.make(directory, "member");
    Path secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef");
    members =
        new StoreMembers(
            directory,
            "cluster.tlsCertificates=" + tls.certificate(),
            "cluster.tlsKey=" + tls.key(),
            "cluster.tlsTrusted=" + tls.certificate(),
            "cluster.secretFile=" + secret,
            "documents.factories.things.indexes=n,color",
            "documents.factories.things.changeLogBytes=8000000",
            "documents.shards=" + SHARDS,
            "documents.movePauseMs=100",
            // A busy machine changes no roles; a member that is killed is lost at once.
            "documents.group.leaseMs=2000",
            "documents.group.takeoverMs=4000");
    StoreMembers.NAMES.forEach(members::start);
    members.awaitWhole(SHARDS);
  }

  @AfterEach
  void close() {
    members.close();
  }

  /** A member for the next attempt, each in turn. */
  private String next(int attempt) {
    List<String> serving = members.serving();
    return serving.isEmpty() ? "a" : serving.get(attempt % serving.size());
  }

  /** Asks members in turn until one answers with another status than 5xx. */
  private HttpResponse<String> ask(int first, String method, String path, String... more) {
    String body = more.length == 0 ? "" : more[0];
    String[] headers = more.length < 2 ? new String[0] : new String[] {more[1], more[2]};
    long startNs = System.nanoTime();
    for (int attempt = first; System.nanoTime() - startNs < DEADLINE_NS; attempt++) {
      HttpResponse<String> answer =
          members.send(next(attempt), method, "/things" + path, body, headers);
      if (answer != null && answer.statusCode() < 500) {
        return answer;
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
    throw new AssertionError("no member answers " + method + " " + path);
  }

  private Written read(int first, String key) {
    HttpResponse<String> answer = ask(first, "GET", "/" + key);
    return answer.statusCode() == 200 ? Written.of(answer) : new Written(0, 0);
  }

  /**
   * Replaces the document by one with the next number. A put that is repeated finds its own earlier
   * attempt, if that was applied: then the version is another one, and the number is there.
   */
  private Written put(int first, String key, Written before) {
    int n = before.n() + 1;
    String body = new JsonObject().put("n", n).put("color", "red").encode();
    HttpResponse<String> answer =
        before.version() == 0
            ? ask(first, "PUT", "/" + key, body, "If-None-Match", "*")
            : ask(first, "PUT", "/" + key, body, "If-Match", "\"" + before.version() + "\"");
    if (answer.statusCode() == 200 || answer.statusCode() == 201) {
      return Written.of(answer);
    }
    Written found = read(first, key);
    if (found.n() != n) {
      wrong.add(key + ": " + answer.body() + ", and " + found + " is there, not " + n);
    }
    return found;
  }

  private void write(int number) {
    String key = "key-" + number;
    Written last = new Written(0, 0);
    for (int i = number; !stopped && wrong.isEmpty(); i++) {
      Written now = put(i, key, last);
      acknowledged.put(key, now);
      Written read = read(i + 1, key);
      if (!read.equals(now) || now.version() != last.version() + 1) {
        wrong.add(key + " has " + read + " after " + now + ", which followed " + last);
      }
      last = now;
      writes.incrementAndGet();
    }
  }

  private void awaitWrites() {
    int before = writes.get();
    Await.until(
        () -> "writes go on, " + (writes.get() - before) + " " + wrong,
        120,
        () -> writes.get() > before + WRITES_BEFORE_KILL || !wrong.isEmpty());
    assertThat(wrong).isEmpty();
  }

  @Test
  void everyAcknowledgedDocumentOutlivesKillsOfOneMemberAfterAnother() throws Exception {
    underLoad(
        () -> {
          for (String name : StoreMembers.NAMES) {
            awaitWrites();
            members.kill(name);
            awaitWrites();
            members.start(name);
            members.awaitWhole(SHARDS);
          }
        });
  }

  @Test
  void aFourthMemberIsAddedUnderLoadAndOneThatIsRemovedLeaves() throws Exception {
    underLoad(
        () -> {
          awaitWrites();
          members.start(StoreMembers.LATER);
          assertThat(members.manage(StoreMembers.LATER, "metrics")).contains(replicas(0));
          members.shards("a", "--add=" + StoreMembers.LATER);
          assertThat(members.manage(StoreMembers.LATER, "metrics"))
              .contains(replicas(SHARDS * StoreMembers.NAMES.size() / 4))
              .contains("weir_group_role{group=\"documents-things.");
          awaitWrites();
          members.shards(StoreMembers.LATER, "--remove=b");
          assertThat(members.manage(StoreMembers.LATER, "metrics")).contains(replicas(SHARDS));
          // Its last replica is deleted a moment after the others hold the shards.
          Await.until(
              () -> "b has no figures of replicas: " + members.manage("b", "metrics"),
              () -> {
                String metrics = members.manage("b", "metrics");
                return metrics.contains(replicas(0)) && !metrics.contains("weir_group_role");
              });
          awaitWrites();
          ChildJvm leaving = members.process("b");
          leaving.terminate();
          assertThat(leaving.exitCode()).as("%s", leaving.lines()).isZero();
          members.kill("b");
          awaitWrites();
        });
  }

  private static String replicas(int count) {
    return "weir_shards_replicas{address=\"documents-things\"} " + count;
  }

  /** Writes and reads while something is done to the members, one of which is killed at the end. */
  private void underLoad(Runnable disturbance) throws Exception {
    ChangeReader reader = new ChangeReader(members, "/things/changes");
    reader.start();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      int number = i;
      Thread writer = new Thread(() -> write(number), "writer-" + i);
      writer.start();
      writers.add(writer);
    }
    try {
      disturbance.run();
    } finally {
      stopped = true;
      for (Thread writer : writers) {
        writer.join();
      }
    }
    assertThat(wrong).isEmpty();
    Await.until(
        () -> "the reader has all changes: " + reader.versions() + " of " + acknowledged,
        Await.DEADLINE_S,
        () ->
            acknowledged.entrySet().stream()
                .allMatch(
                    each ->
                        reader.versions().getOrDefault(each.getKey(), 0L)
                            == each.getValue().version()));
    reader.stop();
    assertThat(reader.wrong()).isEmpty();
    // The member that came last has to have it all: it is one of the two that are left.
    members.kill("a");
    for (int i = 0; i < KEYS; i++) {
      String key = "key-" + i;
      assertThat(read(i, key)).as(key).isEqualTo(acknowledged.get(key));
      String found = ask(i, "GET", "?filter=n%3D" + acknowledged.get(key).n()).body();
      assertThat(found).contains("\"" + key + "\"");
    }
    assertThat(ask(0, "GET", "?count=true").body()).isEqualTo("{\"count\":" + KEYS + "}");
  }

  @Test
  void aMemberAnswersAsAStoreOfOneNodeAndHandsItsRolesOverWhenItStops() {
    badInputIsRefusedWithAProblem();
    theFiguresOfAMemberAreThoseOfTheStore();
    aMemberThatIsToldToStopHandsItsRolesOver();
  }

  private void theFiguresOfAMemberAreThoseOfTheStore() {
    for (int i = 0; i < 20; i++) {
      String body = new JsonObject().put("n", i).encode();
      create(i, "/k" + i, body);
    }
    Await.until(
        () -> "the count is that of all shards: " + members.manage("b", "metrics"),
        Await.DEADLINE_S,
        () ->
            members
                .manage("b", "metrics")
                .contains("weir_factory_documents{factory=\"things\"} 20"));
    assertThat(members.manage("b", "metrics"))
        .contains("weir_factory_index{factory=\"things\",field=\"color\"} 1")
        .contains("weir_documents_memory_bytes{directory=\"none\"}")
        .doesNotContain("weir_factory_loads_total{", "weir_factory_paused_documents{");
    JsonObject figures = new JsonObject(told("b", "", 200).body());
    JsonObject things = figures.getJsonArray("factories").getJsonObject(0);
    assertThat(things.getJsonArray("indexes")).containsExactly("n", "color");
    // A member does not know what the others have in memory.
    assertThat(things.containsKey("hitRate")).isTrue();
    assertThat(things.getValue("hitRate")).isNull();
    assertThat(things.getValue("residentDocuments")).isNull();
    assertThat(things.getValue("pausedDocuments")).isNull();
    assertThat(things.getLong("heapBytes")).isBetween(20 * 500L, 20 * 3_000L);
    String here = SHARDS + " of " + SHARDS + " shards are here";
    Await.until(
        () -> "documents-things: " + here + ": " + members.manage("b", "health/ready"),
        () -> {
          String checks = members.manage("b", "health/ready");
          return checks.contains("documents-things") && checks.contains(here);
        });
  }

  private void aMemberThatIsToldToStopHandsItsRolesOver() {
    create(0, "/k", "{\"n\":1}");
    ChildJvm stopping = members.process("a");
    stopping.terminate();
    assertThat(stopping.exitCode()).as("%s", stopping.lines()).isZero();
    members.kill("a");
    assertThat(read(0, "k").n()).isEqualTo(1);
    assertThat(ask(0, "PUT", "/k", "{\"n\":2}").statusCode()).isEqualTo(200);
  }

  /** A put that is repeated, because its answer did not come in time, replaces the document. */
  private void create(int first, String path, String body) {
    assertThat(ask(first, "PUT", path, body).statusCode()).isIn(200, 201);
  }

  private void badInputIsRefusedWithAProblem() {
    assertThat(ask(0, "PUT", "/k", "{\"n\":").statusCode()).isEqualTo(400);
    assertThat(ask(0, "GET", "?filter=price%3D1").body()).contains("has no index on price");
    assertThat(ask(0, "PUT", "/k", "{\"t\":\"" + "x".repeat(1 << 17) + "\"}").statusCode())
        .isEqualTo(413);
    assertThat(ask(0, "GET", "/k").statusCode()).isEqualTo(404);
    assertThat(told("b", "/things/k/versions", 501).body())
        .contains("is replicated and keeps no versions");
    told("b", "/things/changes?from=7", 410);
  }

  /** What a member answers with this status; it may have no shards or connections at first. */
  private HttpResponse<String> told(String name, String path, int status) {
    AtomicReference<HttpResponse<String>> answer = new AtomicReference<>();
    Await.until(
        () -> name + " answers " + path + " with " + status + ": " + answer,
        () -> {
          answer.set(members.send(name, "GET", path, ""));
          return answer.get() != null && answer.get().statusCode() == status;
        });
    return answer.get();
  }
}
