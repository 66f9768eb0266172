package dev.weir.bench.eventbus.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.eventbus.EventBusBench;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartScenarioTest {
  @TempDir private Path directory;

  private String run(Path jar) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    int code =
        new EventBusBench()
            .execute(
                out,
                out,
                "--scenario=start",
                "--forks=1",
                "--out=" + directory.resolve("results"),
                "--set=start.jar=" + jar);
    String said = bytes.toString(StandardCharsets.UTF_8);
    assertThat(code).as(said).isZero();
    return said;
  }

  private List<String> rows() throws IOException {
    return results().map(row -> row.getString("case") + " " + row.getString("path")).toList();
  }

  private Stream<JsonObject> results() throws IOException {
    Path file = directory.resolve("results/results.json");
    return new JsonObject(Files.readString(file))
        .getJsonArray("rows").stream().map(JsonObject.class::cast);
  }

  private Path jar() throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, FakeEcho.class.getName());
    String classes = FakeEcho.class.getProtectionDomain().getCodeSource().getLocation().toString();
    main.put(Attributes.Name.CLASS_PATH, classes);
    Path jar = directory.resolve("fake.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  @Test
  @Tag("slow")
  void everyWayIsStartedAnswersAndEnds() throws IOException {
    run(jar());

    assertThat(rows())
        .containsExactly("plain bare", "plain echo", "archive echo", "archive-small echo");
    assertThat(results())
        .allSatisfy(
            row -> {
              JsonObject extra = row.getJsonObject("extra");
              assertThat(row.getString("verdict")).isEqualTo("OK");
              assertThat(extra.getJsonObject("readyMs").getDouble("min")).isPositive();
              assertThat(extra.getJsonObject("memoryMiB").getDouble("min")).isPositive();
            });
  }

  @Test
  @Tag("slow")
  void aJarThatIsMissingIsNamedAndTheFloorIsMeasuredAlone() throws IOException {
    Path none = directory.resolve("none.jar");

    assertThat(run(none).replaceAll("\\s+", " "))
        .contains("start of echo was not measured: there is no file " + none);
    assertThat(rows()).containsExactly("plain bare");
  }
}
