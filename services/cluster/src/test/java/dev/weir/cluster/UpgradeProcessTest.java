package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three members, each a process, are upgraded one after another under load, from the build of an
 * earlier commit to this one.
 */
@Tag("slow")
@Timeout(900)
class UpgradeProcessTest {
  /** The last commit whose members speak version 3 of the protocol, and no later one. */
  private static final String EARLIER = "df2dd799108e0fec0f0532819e4c13743fb164b5";

  /** The last one whose members speak version 2. */
  private static final String TOO_EARLY = "968ff285768037a34e8f8b403e266c963d12510d";

  private static final List<String> NAMES = List.of("a", "b", "c");

  /** The class path of the earlier build, from which each kind of replication starts. */
  private static String earlier;

  @TempDir Path directory;

  private final Map<String, ChildJvm> running = new TreeMap<>();
  private final List<Integer> ports = FreePorts.find(2 * NAMES.size());
  private Replication replication = Replication.TCP;

  @BeforeAll
  static void build(@TempDir Path directory) throws IOException {
    earlier = build(EARLIER, directory);
  }

  @AfterEach
  void end() {
    running.values().forEach(ChildJvm::close);
  }

  @ParameterizedTest
  @EnumSource(Replication.class)
  void membersAreUpgradedOneAfterAnotherUnderLoadAndNothingIsLost(Replication with)
      throws IOException {
    replication = with;
    for (String name : NAMES) {
      start(name, earlier);
    }
    awaitAllInSync();
    try (SumLoad load = new SumLoad(ports.subList(NAMES.size(), ports.size()), this::states)) {
      String primary = primary();
      for (String name : NAMES.stream().filter(name -> !name.equals(primary)).toList()) {
        upgrade(name, load);
      }
      assertThat(primary()).as("it kept the role").isEqualTo(primary);
      upgrade(primary, load);
      load.awaitReplies(1_000);
      load.end();
      System.out.printf("upgrade test: %s, %d messages%n", with, load.replied());
    }
    NAMES.forEach(this::stop);
    for (String name : List.of("b", "c")) {
      GroupLogs.Comparison comparison = GroupLogs.compare(log("a"), log(name));
      assertThat(comparison.agrees()).as(comparison.toString()).isTrue();
    }
  }

  private void upgrade(String name, SumLoad load) {
    load.takeLongestPauseMs();
    stop(name);
    load.awaitReplies(500);
    start(name, today());
    awaitAllInSync();
    load.awaitReplies(500);
    System.out.printf(
        "upgrade test: %s, of %s, longest pause %d ms%n",
        replication, name, load.takeLongestPauseMs());
  }

  @Test
  void aMemberTwoVersionsAwayIsRefusedByNameAndTheOthersGoOn() throws IOException {
    start("a", today());
    start("b", today());
    String tooEarly = build(TOO_EARLY, directory);
    start("c", tooEarly);
    // A group of three begins with all.
    running.get("a").await("cannot connect processor with c: there protocol is 2, here 3");
    assertThat(running.values()).noneMatch(child -> child.hasSaid("state PRIMARY"));
    stop("c");
    start("c", today());
    awaitAllInSync();
    stop("c");
    start("c", tooEarly);
    running.get("c").await("state WAITING");
    try (SumLoad load = new SumLoad(ports.subList(NAMES.size(), ports.size()), this::states)) {
      load.end();
    }
    assertThat(running.get("c").lines()).noneMatch(line -> line.matches("state (PRIM|BACK).*"));
  }

  private static String build(String commit, Path directory) throws IOException {
    return EarlierBuild.classPath(commit, UpgradeChild.class, directory.resolve(commit));
  }

  private static String today() {
    return System.getProperty("java.class.path");
  }

  private void start(String name, String classPath) {
    int index = NAMES.indexOf(name);
    List<Integer> hazelcast = ports.subList(0, NAMES.size());
    running.put(
        name,
        ChildJvm.of(UpgradeChild.class)
            .classPath(classPath)
            .flags("-Xmx200m", "-XX:TieredStopAtLevel=1")
            .mergeErrors()
            .start(
                name,
                hazelcast.stream().map(String::valueOf).collect(Collectors.joining(",")),
                hazelcast.get(index).toString(),
                ports.get(NAMES.size() + index).toString(),
                created(directory.resolve(name)).toString(),
                String.join(",", NAMES),
                replication.name()));
  }

  private static Path created(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** As an operator stops it. */
  private void stop(String name) {
    ChildJvm child = running.remove(name);
    child.terminate();
    Await.until(() -> name + " ends: " + lastState(child), () -> !child.isAlive());
    child.close();
  }

  private Path log(String name) {
    return directory.resolve(name).resolve(GroupOptions.DEFAULT_NAME);
  }

  private static String lastState(ChildJvm child) {
    List<String> states = child.lines().stream().filter(line -> line.startsWith("state ")).toList();
    return states.isEmpty() ? "nothing" : states.get(states.size() - 1);
  }

  private String states() {
    Map<String, String> states = new TreeMap<>();
    running.forEach((name, child) -> states.put(name, lastState(child)));
    return states.toString();
  }

  private void awaitAllInSync() {
    Await.until(
        () -> "all are in sync: " + states(),
        () ->
            running.values().stream()
                    .filter(child -> lastState(child).matches("state \\w+ 3 .*"))
                    .count()
                == NAMES.size());
    Await.until(() -> "one leads: " + states(), () -> primary() != null);
  }

  private String primary() {
    return running.keySet().stream()
        .filter(name -> lastState(running.get(name)).startsWith("state PRIMARY 3 true"))
        .findFirst()
        .orElse(null);
  }
}
