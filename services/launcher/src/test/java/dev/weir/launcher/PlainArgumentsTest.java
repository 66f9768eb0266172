package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class PlainArgumentsTest {
  private static final JsonObject DEFAULTS =
      new JsonObject()
          .put("instances", 1)
          .put("drainTimeoutMs", 1L)
          .put(
              "http",
              new JsonObject().put("host", "").put("port", 1).put("managementPort", 1).put("x", ""))
          .put("store", new JsonObject().put("directory", ""))
          .put("cluster", new JsonObject().put("enabled", false));

  private static String settings(LaunchCommand command) {
    Settings settings = new Settings(DEFAULTS.copy());
    command.apply(settings, Map.of(), Map.of());
    return settings.toJson().encode()
        + command.isCheck()
        + command.isVerbose()
        + command.vertxOptions().encode();
  }

  private static String byPicocli(String... args) {
    LaunchCommand command = new LaunchCommand();
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    spec.parser().posixClusteredShortOptionsAllowed(false);
    new CommandLine(spec).parseArgs(args);
    return settings(command);
  }

  static Stream<List<String>> plain() {
    return Stream.of(
        List.of(),
        List.of("-conf", "{\"http\":{\"port\":2}}"),
        List.of("--conf={\"http\":{\"port\":2}}", "--http-port", "3"),
        List.of("-options", "{\"eventLoopPoolSize\":2}"),
        List.of("-instances=2", "--http-host", "localhost", "--http-port=0"),
        List.of("--management-port", "9", "--data", "a b", "--drain-timeout-ms=7"),
        List.of("--set", "http.x=a=b", "--set=http.port=5", "-cluster", "--check", "--verbose"));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void readsWhatPicocliReads(List<String> args) {
    String[] given = args.toArray(String[]::new);
    assertThat(settings(PlainArguments.read(given))).isEqualTo(byPicocli(given));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "-V",
        "--http-prot=1",
        "--http-port",
        "--http-port=",
        "--http-port -1",
        "--http-port 1 --http-port 2",
        "--check --check",
        "--check=true",
        "--set http.port",
        "--set http.port=1 --set http.port=2",
        "--set =1",
        "-conf @file",
        "@file",
        "--",
        "word",
        "--cluster-port 5"
      })
  void leavesMistakesHelpAndRareFlagsToPicocli(String line) {
    assertThat(PlainArguments.read(line.split(" "))).isNull();
  }

  @Test
  void knowsOnlyNamesThatPicocliKnows() {
    CommandSpec spec = CommandSpec.forAnnotatedObject(new LaunchCommand());
    List<String> taken = new ArrayList<>();
    spec.optionsMap()
        .keySet()
        .forEach(
            name -> {
              if (PlainArguments.read(name) != null || PlainArguments.read(name, "{}") != null) {
                taken.add(name);
              }
            });
    assertThat(taken)
        .contains("-c", "--check", "-conf", "--http-port", "--data", "-vertx-options")
        .doesNotContain("--help", "-V", "--cluster-join");
  }
}
