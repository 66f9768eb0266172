package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the management port of a member shows of two members, each a process, one of them killed.
 */
@Tag("slow")
class ClusterViewTest {
  private static final String TOKEN = "an-admin-token-of-a-test-that-is-long-enough";
  private static final long CARS = 20;

  @TempDir private Path directory;
  private TwoMembers members;

  @Test
  void aMemberThatIsKilledIsShownAsLeftAndTheOtherAsPrimary() throws Exception {
    members = new TwoMembers(directory);
    String tokens = httpConf();
    try (ChildJvm a = members.startPatient(0, tokens);
        ChildJvm b = members.startPatient(1, tokens)) {
      a.await("a: answers HTTP");
      b.await("b: answers HTTP");
      String bothInSync = "group processor: in sync are a b";
      Await.until(bothInSync, () -> a.hasSaid(bothInSync) || b.hasSaid(bothInSync));
      for (long car = 1; car <= CARS; car++) {
        members.post(0, null, car);
      }
      int primary = TwoMembers.primary(a, b);
      int backup = 1 - primary;
      assertShowsBoth(primary, "primary", backup);
      assertShowsBoth(backup, "backup", primary);

      Instant killed = Instant.now();
      (primary == 0 ? a : b).kill();

      JsonObject cluster =
          await(
              "the killed member has left, and this one leads alone",
              backup,
              each ->
                  each.getInteger("nodeCount") == 1
                      && group(each).getString("role").equals("primary")
                      && !peer(each).getBoolean("inSync"));
      JsonObject left = node(cluster, primary);
      assertThat(Instant.parse(left.getString("leftAt"))).isAfterOrEqualTo(killed.minusMillis(1));
      assertThat(Instant.parse(left.getString("since"))).isBefore(killed);
      assertThat(node(cluster, backup).getString("leftAt")).isNull();
      assertThat(peer(cluster).getBoolean("connected")).isFalse();
      List<String> roles =
          group(cluster).getJsonArray("roleChanges").stream()
              .map(change -> ((JsonObject) change).getString("role"))
              .toList();
      assertThat(roles).startsWith("primary").contains("backup");
    }
  }

  private String httpConf() throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "ops:" + TOKEN + "\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    JsonObject files = new JsonObject().put("adminTokensFile", tokens.toString());
    return "--http-conf=" + new JsonObject().put("tokens", files).encode();
  }

  private void assertShowsBoth(int member, String role, int other) {
    JsonObject cluster =
        await(
            "both are level",
            member,
            each ->
                group(each).getLong("position") >= CARS
                    && group(each).getLong("behind") == 0
                    && Boolean.TRUE.equals(peer(each).getBoolean("connected"))
                    && Long.valueOf(0).equals(peer(each).getLong("behind")));
    assertThat(cluster.getBoolean("clustered")).isTrue();
    assertThat(cluster.getInteger("nodeCount")).isEqualTo(2);
    assertThat(cluster.getJsonArray("addresses")).as("its bus is its own").isEmpty();
    assertThat(node(cluster, member).getBoolean("thisNode")).isTrue();
    assertThat(node(cluster, other).getBoolean("thisNode")).isFalse();
    assertThat(group(cluster).getString("role")).isEqualTo(role);
    assertThat(peer(cluster).getString("name")).isEqualTo(TwoMembers.NAMES.get(other));
    assertThat(peer(cluster).getBoolean("inSync")).isTrue();
  }

  private static JsonObject node(JsonObject cluster, int member) {
    return cluster.getJsonArray("nodes").stream()
        .map(JsonObject.class::cast)
        .filter(node -> node.getString("name").equals(TwoMembers.NAMES.get(member)))
        .findFirst()
        .orElseThrow();
  }

  private static JsonObject group(JsonObject cluster) {
    return cluster.getJsonArray("groups").getJsonObject(0);
  }

  private static JsonObject peer(JsonObject cluster) {
    return group(cluster).getJsonArray("peers").getJsonObject(0);
  }

  private JsonObject await(String what, int member, Predicate<JsonObject> condition) {
    AtomicReference<JsonObject> last = new AtomicReference<>();
    Await.until(
        () -> what + ": " + last,
        () -> {
          last.set(cluster(member));
          return condition.test(last.get());
        });
    return last.get();
  }

  private JsonObject cluster(int member) {
    try {
      HttpResponse<String> answer =
          members.get(member, "/admin/cluster", "Authorization", "Bearer " + TOKEN);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return new JsonObject(answer.body());
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }
}
