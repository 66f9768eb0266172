package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.Weir;
import dev.weir.queue.QueueException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchOptionsTest {
  private final Quiet service = new Quiet();
  private final JsonObject settings = LaunchOptions.defaults(service);

  @Test
  void everyDefaultIsAllowed() {
    LaunchOptions options = new LaunchOptions(settings, service);
    assertThat(options.instances()).isEqualTo(1);
    assertThat(options.drainTimeoutMs()).isEqualTo(30_000);
    assertThat(options.store().getDirectory()).isEqualTo("data/quiet");
    assertThat(options.cluster().isEnabled()).isFalse();
    assertThat(options.cluster().getJoin())
        .containsExactly("127.0.0.1:5701", "127.0.0.1:5702", "127.0.0.1:5703");
    assertThat(service.taken).isEqualTo(service.defaults());
  }

  @Test
  void namesTheSectionOfWhatIsWrong() {
    refused("http", "port", 70_000, "http: port is 70000, allowed is 0 to 65535");
    JsonObject health = new JsonObject().put("diskPercent", 101);
    refused("http", "health", health, "http: diskPercent is 101, allowed is 1 to 100");
    refused("cluster", "memberPort", 0, "cluster: memberPort is 0, allowed is 1 to 65535");
    refused("cluster", "join", "a", "cluster: join is a, allowed is a list of texts");
    refused("quiet", "loud", true, "quiet: loud is true, allowed is false");
    long heap = Runtime.getRuntime().maxMemory();
    refused(
        "store",
        "heapBytes",
        heap + 1,
        "store: heapBytes is " + (heap + 1) + ", allowed is at most the heap of the JVM, " + heap);
    assertThatThrownBy(() -> new LaunchOptions(settings.copy().put("store", 1), service))
        .hasMessage("store is 1, allowed is a JSON object");
    assertThatThrownBy(() -> new LaunchOptions(settings.copy().put("instances", 0), service))
        .hasMessage("instances is 0, allowed is 1 to 256");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http", "store", "cluster", "quiet"})
  void aSectionThatIsNoObjectIsNamed(String section) {
    for (Object value : Arrays.asList(5, null)) {
      Settings given = new Settings(settings);
      given.file(new JsonObject().put(section, value));
      LaunchOptions.complete(given);
      assertThatThrownBy(() -> new LaunchOptions(given.toJson(), service))
          .hasMessage(section + " is " + value + ", allowed is a JSON object");
    }
  }

  @Test
  void aSettingThatTheServiceDoesNotNameIsRefused() {
    refused(
        "quiet",
        "lod",
        true,
        "quiet: unknown option lod, known are file, light, loud, rooms: did you mean loud?");
  }

  @Test
  void aGroupOfSettingsMayHaveNamesOfTheUser() {
    JsonObject changed = settings.copy();
    changed.getJsonObject("quiet").put("file", "x").put("rooms", new JsonObject().put("own", 1));
    new LaunchOptions(changed, service);
    assertThat(service.taken).isEqualTo(changed.getJsonObject("quiet"));
  }

  private void refused(String section, String key, Object value, String message) {
    JsonObject changed = settings.copy();
    changed.getJsonObject(section).put(key, value);
    assertThatThrownBy(() -> new LaunchOptions(changed, service)).hasMessage(message);
  }

  @Test
  void aDrainIsOverBeforeTheLauncherHalts() {
    assertThatThrownBy(
            () -> new LaunchOptions(settings.copy().put("drainTimeoutMs", 3_600_001), service))
        .hasMessage("drainTimeoutMs is 3600001, allowed is 0 to 3600000");
  }

  @Test
  void instancesShareAPortThatIsNamed() {
    JsonObject changed = settings.copy().put("instances", 2);
    changed.getJsonObject("http").put("port", 0);
    assertThatThrownBy(() -> new LaunchOptions(changed, service))
        .hasMessageStartingWith("http.port is 0, allowed with more than one instance");
  }

  @Test
  void clusterOptionsSurviveTheWayThroughJson() {
    ClusterOptions options =
        new ClusterOptions()
            .setEnabled(true)
            .setHost("10.0.0.1")
            .setName("x")
            .setMemberPort(1)
            .setTlsCertificates("c")
            .setTlsKey("k")
            .setTlsTrusted("t")
            .setSecretFile("s");
    assertThat(new ClusterOptions(options).toJson()).isEqualTo(options.toJson());
    assertThat(options.getJoin()).contains("10.0.0.1:5701");
  }

  @Test
  void aMemberNeedsAClusterAndAName() {
    Member member = new Member();
    JsonObject alone = LaunchOptions.defaults(member);
    assertThatThrownBy(() -> new LaunchOptions(alone, member))
        .hasMessage("quiet: members is [a, b], allowed without cluster.enabled (-cluster) is none");
    JsonObject joined = alone.copy();
    joined.getJsonObject("cluster").put("enabled", true);
    assertThatThrownBy(() -> new LaunchOptions(joined, member))
        .hasMessage(
            "cluster: memberName is not set, allowed is one of quiet.members, [a, b], or the name"
                + " of a member that comes later");
    for (String name : List.of("b", "c")) {
      joined.getJsonObject("cluster").put("memberName", name);
      assertThat(new LaunchOptions(joined, member).cluster().getMemberName()).isEqualTo(name);
    }
    JsonObject named = settings.copy();
    named.getJsonObject("cluster").put("memberName", "a");
    assertThatThrownBy(() -> new LaunchOptions(named, service))
        .hasMessage("cluster: memberName is a, allowed is none: no members are named");
  }

  @Test
  void thePortsOfAMemberFollowItsMemberPortUnlessTheyAreSet() {
    Settings given = new Settings(settings);
    given.put("--cluster-member-port", "cluster.memberPort", "5702");
    LaunchOptions.complete(given);
    ClusterOptions cluster = new LaunchOptions(given.toJson(), service).cluster();
    assertThat(cluster.getPort()).isEqualTo(15_702);
    assertThat(cluster.getClientPort()).isEqualTo(5_802);
    given.put("-cluster-port", "cluster.port", "7");
    given.put("--cluster-member-port", "cluster.memberPort", "60000");
    LaunchOptions.complete(given);
    assertThat(new LaunchOptions(given.toJson(), service).cluster().getPort()).isEqualTo(7);
    assertThat(ClusterOptions.portsByDefault(new JsonObject().put("memberPort", 60_000)))
        .containsEntry("port", 50_000)
        .containsEntry("clientPort", 60_100);
  }

  @Test
  void aFailureHasItsExitCode() {
    RuntimeException inUse =
        new RuntimeException(
            new QueueException(QueueException.Reason.DIRECTORY_IN_USE, "in use by process 1"));
    assertThat(ExitCodes.of(inUse)).isEqualTo(3);
    assertThat(ExitCodes.of(new BindException("port"))).isEqualTo(4);
    assertThat(ExitCodes.of(new IllegalArgumentException())).isEqualTo(2);
    assertThat(ExitCodes.of(new IllegalStateException())).isEqualTo(1);
    assertThat(ExitCodes.line(new IllegalStateException("one\ntwo"))).isEqualTo("one");
    assertThat(ExitCodes.line(new UncheckedIOException(new IOException("port")))).isEqualTo("port");
  }

  @Test
  void thePageOfTheConfigurationShowsEachSettingOfAProgram() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "configuration.md"));
    settings.remove(service.name());
    settings.forEach(
        setting -> {
          Object value = setting.getValue();
          String text =
              value instanceof Number number ? "%,d".formatted(number.longValue()) : "" + value;
          String shown = value instanceof JsonObject ? "its own table" : "`" + text + "`";
          assertThat(page).contains("\n| `" + setting.getKey() + "` | " + shown + " |");
        });
  }

  /** A service whose groups have two members. */
  private static final class Member extends Quiet implements LaunchedMember {
    @Override
    public List<String> members() {
      return List.of("a", "b");
    }

    @Override
    public Future<?> start(Vertx vertx, Weir weir, ClusterNode node) {
      return Future.succeededFuture();
    }

    @Override
    public Future<?> leave() {
      return Future.succeededFuture();
    }
  }

  private static class Quiet implements LaunchedService {
    private JsonObject taken;

    @Override
    public String name() {
      return "quiet";
    }

    @Override
    public JsonObject defaults() {
      return new JsonObject()
          .put("loud", false)
          .put("file", null)
          .put("light", new JsonObject().put("colour", "white"))
          .put("rooms", new JsonObject().put("hall", 1));
    }

    @Override
    public void configure(JsonObject section) {
      if (section.getBoolean("loud")) {
        throw new IllegalArgumentException("loud is true, allowed is false");
      }
      taken = section;
    }

    @Override
    public Future<?> start(Vertx vertx, Weir weir) {
      return Future.succeededFuture();
    }

    @Override
    public void stop() {}
  }
}
