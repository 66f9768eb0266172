package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A group whose members change under load, each a process of its own, some killed meanwhile. */
@Tag("slow")
@Timeout(900)
class MemberChangeProcessTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  /** Who may have another vote asks for it much sooner. */
  private static final long WAITS_NS = TimeUnit.SECONDS.toNanos(20);

  @TempDir Path directory;

  private final Map<String, ChildJvm> running = new TreeMap<>();
  private final List<Integer> ports = FreePorts.find(2 * NAMES.size());
  private SumLoad load;
  private Replication replication;

  @AfterEach
  void end() {
    if (load != null) {
      load.close();
    }
    running.values().forEach(ChildJvm::close);
  }

  @ParameterizedTest
  @EnumSource(Replication.class)
  void membersComeAndGoUnderLoadAndNothingIsLost(Replication with) throws IOException {
    replication = with;
    start("a", "a,b");
    start("b", "a,b");
    awaitWhole("a", 2);
    load = new SumLoad(ports.subList(NAMES.size(), ports.size()), this::states);

    // Replaced while both run: two hold all that is acknowledged at every moment.
    start("c", "a,b,c");
    assertThat(ask("a", "replace b c")).isEqualTo(MemberChangeChild.MADE + "[a, , c]");
    awaitWhole("a", 2);
    running.get("b").await("is not a member any more");
    stop("b");

    // A third one joins, on the place that is vacant.
    assertThat(ask("a", "add d")).isEqualTo(MemberChangeChild.MADE + "[a, d, c]");
    start("d", "a,d,c");
    awaitWhole("a", 3);
    assertThat(ask("a", "add x")).contains("allowed are 3 members");

    // The primary is killed: one of those that joined takes over.
    kill("a");
    String primary = awaitPrimary();
    assertThat(primary).isIn("c", "d");
    load.awaitReplies(1_000);

    // A member that is dead is removed. It has not heard of that, and gets no role.
    assertThat(ask(primary, "remove a")).startsWith(MemberChangeChild.MADE);
    awaitWhole(primary, 2);
    start("a", "a,d,c");
    running.get("a").await("state WAITING");
    load.awaitReplies(1_000);
    assertThat(running.get("a").lines())
        .noneMatch(line -> line.matches("state (PRIMARY|BACKUP).*"));

    // One that has heard of it does not start on its old directory.
    assertThat(refusalToStart("b", "a,b,c")).contains("is not a member");
    load.end();
    sameLogs("c", "d");
  }

  @ParameterizedTest
  @EnumSource(Replication.class)
  void aKillDuringAChangeLosesNothing(Replication with) throws IOException {
    replication = with;
    for (String name : List.of("a", "b", "c")) {
      start(name, "a,b,c");
    }
    awaitWhole("a", 3);
    load = new SumLoad(ports.subList(NAMES.size(), ports.size()), this::states);
    start("d", "a,b,d");

    // The primary is killed while it makes the change.
    assertThat(awaitPrimary()).isEqualTo("a");
    begin("a", "replace c d");
    kill("a");
    if (leadsWithout("a")) {
      load.awaitReplies(500);
    }
    start("a", "a,b,c");
    String primary = changed("c", "d");
    awaitWhole(primary, 3);
    assertThat(membersOf(primary)).containsExactly("a", "b", "d");

    // And the one that leaves.
    String out = primary.equals("b") ? "a" : "b";
    stop("c");
    clean("c");
    begin(primary, "replace " + out + " c");
    kill(out);
    start("c", out.equals("b") ? "a,c,d" : "c,b,d");
    String next = changed(out, "c");
    awaitWhole(next, 3);
    load.end();
    List<String> last = membersOf(next);
    assertThat(last).contains("c").doesNotContain(out);
    sameLogs(last.get(0), last.get(1), last.get(2));
  }

  private void start(String name, String members) throws IOException {
    int index = NAMES.indexOf(name);
    Files.createDirectories(directory.resolve(name));
    running.put(
        name,
        ChildJvm.of(MemberChangeChild.class)
            .flags("-Xmx200m", "-XX:TieredStopAtLevel=1")
            .start(
                name,
                ports.subList(0, NAMES.size()).stream()
                    .map(String::valueOf)
                    .collect(Collectors.joining(",")),
                ports.get(index).toString(),
                ports.get(NAMES.size() + index).toString(),
                directory.resolve(name).toString(),
                members,
                replication.name()));
  }

  private String refusalToStart(String name, String members) throws IOException {
    start(name, members);
    ChildJvm child = running.remove(name);
    String refusal = child.await("does not start: ");
    assertThat(child.exitCode()).isNotZero();
    child.close();
    return refusal;
  }

  /** Begins a change, and returns when its first step is made. */
  private void begin(String primary, String change) throws IOException {
    Await.until(() -> "nothing changes: " + states(), () -> isWhole(primary, 3));
    List<String> before = membersOf(primary);
    command(primary, change);
    Await.until(
        () -> change + " begins: " + states(),
        () -> !isWhole(primary, 3) || !membersOf(primary).equals(before));
  }

  /** Has a change ended that a primary may not have ended; returns who is primary then. */
  private String changed(String out, String in) {
    Await.until(
        () -> in + " takes the place of " + out + ": " + states(), () -> endChange(out, in));
    return awaitPrimary();
  }

  private boolean endChange(String out, String in) {
    try {
      String primary = awaitPrimary();
      List<String> members = membersOf(primary);
      if (members.contains(in) && !members.contains(out)) {
        return true;
      }
      if (primary.equals(out)) {
        // A primary does not take itself out.
        stop(out);
      } else {
        ask(primary, members.contains(out) ? "replace " + out + " " + in : "add " + in);
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void kill(String name) {
    ChildJvm child = running.remove(name);
    child.signal("KILL");
    Await.until("it is killed", () -> !child.isAlive());
    child.close();
  }

  private void stop(String name) throws IOException {
    ChildJvm child = running.remove(name);
    if (child != null) {
      command(child, name, "close");
      child.await("closed");
      child.close();
    }
  }

  private void clean(String name) throws IOException {
    Files.move(directory.resolve(name), directory.resolve(name + "-old"));
  }

  private void command(String name, String command) throws IOException {
    command(running.get(name), name, command);
  }

  private void command(ChildJvm child, String name, String command) throws IOException {
    Path written = Files.writeString(directory.resolve("command-" + name), command);
    Files.move(written, directory.resolve(name).resolve("command"), StandardCopyOption.ATOMIC_MOVE);
  }

  private String ask(String name, String command) throws IOException {
    ChildJvm child = running.get(name);
    int before = child.lines().size();
    command(name, command);
    Await.until(
        () -> command + " is answered: " + lastState(child), () -> answer(child, before) != null);
    return answer(child, before);
  }

  private static String answer(ChildJvm child, int from) {
    List<String> lines = child.lines();
    return lines.subList(from, lines.size()).stream()
        .filter(
            line ->
                line.startsWith(MemberChangeChild.MADE)
                    || line.startsWith(MemberChangeChild.NOT_MADE))
        .findFirst()
        .orElse(null);
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

  private static List<String> members(String state) {
    int from = state.indexOf('[');
    return List.of(state.substring(from + 1, state.indexOf(']')).split(", "));
  }

  private List<String> membersOf(String name) {
    return members(lastState(running.get(name)));
  }

  private void awaitWhole(String primary, int inSync) {
    Await.until(() -> inSync + " are in sync: " + states(), () -> isWhole(primary, inSync));
  }

  private boolean isWhole(String primary, int inSync) {
    return lastState(running.get(primary)).startsWith("state PRIMARY " + inSync + " true");
  }

  private String awaitPrimary() {
    Await.until(() -> "one leads: " + states(), () -> primary() != null);
    return primary();
  }

  /**
   * Whether another one leads. While a change takes a vote away, the one that is left leads only if
   * it sees the death at once; on a machine that stands still it has to wait for the dead one.
   */
  private boolean leadsWithout(String dead) {
    AtomicReference<String> last = new AtomicReference<>("");
    AtomicLong sinceNs = new AtomicLong();
    Await.until(
        () -> "one leads, or waits for " + dead + ": " + states(),
        () -> {
          String now = states();
          if (!now.equals(last.getAndSet(now))) {
            sinceNs.set(System.nanoTime());
          }
          boolean waits = now.contains("waits for a vote of one of " + dead);
          return primary() != null || waits && System.nanoTime() - sinceNs.get() > WAITS_NS;
        });
    return primary() != null;
  }

  private String primary() {
    return running.keySet().stream()
        .filter(name -> lastState(running.get(name)).matches("state PRIMARY \\d true.*"))
        .findFirst()
        .orElse(null);
  }

  private void sameLogs(String... names) throws IOException {
    for (String name : names) {
      stop(name);
    }
    for (int i = 1; i < names.length; i++) {
      GroupLogs.Comparison comparison = GroupLogs.compare(log(names[0]), log(names[i]));
      assertThat(comparison.agrees()).as(comparison.toString()).isTrue();
    }
  }

  private Path log(String name) {
    return directory.resolve(name).resolve(GroupOptions.DEFAULT_NAME);
  }
}
