package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.gateway.metrics.GroupWords;
import dev.weir.gateway.metrics.ShardMetrics;
import dev.weir.testing.Await;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster on the dashboard in a real browser; skipped on a machine that has none. */
@Tag("slow")
class DashboardClusterBrowserTest extends DashboardBrowserTestBase {
  private static final String TIME = "2026-01-31T12:00:00Z";
  private static final String SHOWN_TIME = "2026-01-31 12:00:00 UTC";
  private static final long SINCE_MS = Instant.parse(TIME).toEpochMilli();

  private final List<ClusterView.Node> nodes = new CopyOnWriteArrayList<>();

  private static ClusterView.Node node(String id, String name, long leftMs) {
    return new ClusterView.Node(id, name, "10.0.0.2:5701", id.equals("id-a"), SINCE_MS, leftMs);
  }

  @Test
  void aNodeForItselfShowsNoCluster() {
    browser.open(node.url());
    browser.awaitText("#connection", "live");
    assertThat(browser.isShown("#cluster-section")).isFalse();
    node.metrics.bindCluster(() -> nodes);
    browser.awaitText("#cluster-title", "Cluster");
    assertThat(browser.isShown("#groups-part")).isFalse();
    assertThat(browser.isShown("#peers-part")).isFalse();
    assertThat(browser.isShown("#roles-part")).isFalse();
    assertThat(browser.isShown("#shards-part")).isFalse();
    node.metrics.bind(new ShardMetrics("cars", () -> new ShardMetrics.Figures(3, 1_200, 5, 0)));
    String cars = "#shards tr[data-key='cars'] ";
    browser.awaitText(cars + "[data-figure='replicas']", "3");
    assertThat(browser.text(cars + "[data-figure='movesLeft']")).isEqualTo("1,200");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void showsTheNodesAndWhoHasLeft() throws IOException {
    nodes.add(node("id-a", "a", 0));
    nodes.add(node("id-b", "<b id=bold>b</b>", 0));
    nodes.add(node("id-c", null, 0));
    node.metrics.bindCluster(() -> nodes);
    browser.open(node.url());
    String second = "#nodes tr[data-key='id-b'] ";
    browser.awaitText(second + "th", "<b id=bold>b</b>");
    browser.awaitText(second + "[data-figure='state']", "there");
    assertThat(browser.is("#bold")).isFalse();
    assertThat(browser.text(second + "[data-figure='address']")).isEqualTo("10.0.0.2:5701");
    assertThat(browser.text(second + "[data-figure='since']")).isEqualTo(SHOWN_TIME);
    assertThat(browser.text("#nodes tr[data-key='id-c'] th")).isEqualTo("id-c");
    assertThat(browser.isShown("#nodes tr[data-key='id-a'] [data-figure='self']")).isTrue();
    assertThat(browser.isShown(second + "[data-figure='self']")).isFalse();
    assertThat(browser.isShown("#bus")).as("its bus is its own").isFalse();

    nodes.set(1, node("id-b", "b", SINCE_MS + 9));

    browser.awaitText(second + "[data-figure='state']", "left");
    browser.awaitText(second + "[data-figure='leftAt']", SHOWN_TIME);
    assertFitsAndHindersNobody();
  }

  @Test
  void showsTheOtherMembersOfAGroupAndItsChangesOfRole() throws IOException {
    try (ProcessorGroup group = node.group("cars")) {
      Await.until("it accepts", () -> group.stats().accepting());
      String name = "<i id=italic>cars</i>";
      node.metrics.bind(
          new FakeGroup(
              new JsonObject()
                  .put("name", name)
                  .put("primary", "p")
                  .put(
                      "peers",
                      new JsonArray()
                          .add(peer("p", true, true).put("position", 200).put("silentMs", 20))
                          .add(peer("q", true, true).put("behind", 10).put("behindMs", 1_500))
                          .add(peer("r", true, false))
                          .add(peer("s", false, true))
                          .add(peer("w", true, false).put("witness", true)))
                  .put(
                      "roleChanges",
                      new JsonArray().add(change("backup", 12)).add(change("waiting", 11)))));
      browser.open(node.url());
      assertPeer("p", "state", "primary");
      assertPeer("p", "position", "200");
      assertPeer("p", "silentMs", "20 ms ago");
      assertPeer("q", "state", "in sync");
      assertPeer("q", "behind", "10");
      assertPeer("q", "behindMs", "1.5 s");
      assertPeer("r", "state", "not in sync");
      assertPeer("s", "state", "not connected, in sync");
      assertPeer("w", "state", "witness");
      assertPeer("w", "group", name);
      browser.awaitText("#roles", SHOWN_TIME);
      browser.awaitText("#roles", "backup");
      // That of the group that runs is later.
      assertThat(browser.text("#roles tbody tr:first-child [data-figure='group']"))
          .isEqualTo("cars");
      assertThat(browser.text("#roles tbody tr:nth-last-child(2) [data-figure='role']"))
          .isEqualTo("backup");
      assertThat(browser.text("#roles tbody tr:last-child [data-figure='epoch']")).isEqualTo("11");
      assertThat(browser.is("#italic")).isFalse();
      assertFitsAndHindersNobody();
    }
  }

  private static void assertPeer(String name, String figure, String text) {
    String row = "#peers tr[data-key^='" + name + "\\a '] ";
    browser.awaitText(row + "[data-figure='" + figure + "']", text);
  }

  private static JsonObject peer(String name, boolean connected, boolean inSync) {
    return new JsonObject().put("name", name).put("connected", connected).put("inSync", inSync);
  }

  private static JsonObject change(String role, long epoch) {
    return new JsonObject()
        .put("at", TIME)
        .put("role", role)
        .put("epoch", epoch)
        .put("primary", "p");
  }

  /** What a group says of itself, without the group. */
  private record FakeGroup(JsonObject replica) implements MeterBinder, GroupWords {
    @Override
    public void bindTo(MeterRegistry registry) {
      // It has no figures.
    }

    @Override
    public String group() {
      return replica.getString("name");
    }

    @Override
    public String primary() {
      return replica.getString("primary");
    }

    @Override
    public String reason() {
      return null;
    }
  }
}
