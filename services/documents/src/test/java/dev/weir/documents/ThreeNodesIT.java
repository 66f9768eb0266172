package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does what the README says of a store on three nodes, with the jar: the lines as they are written,
 * but for the ports and the directory.
 */
class ThreeNodesIT {
  private static final Path README = Path.of("..", "..", "README.md");
  private static final Path PAGE = Path.of("..", "..", "docs", "state.md");
  private static final String SECTION = "## A store on three nodes";
  private static final String JAR = "services/documents/target/documents.jar";
  private static final String PROMPT = "$ ";

  /** Those that the README names. */
  private static final Pattern PORTS = Pattern.compile("\\b(570[1-3]|808[1-3])\\b");

  private static final int MEMBERS = 3;
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  @TempDir private Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<ChildJvm> members = new ArrayList<>();

  /** By the ports that the README names. */
  private final Map<String, Integer> ports = new HashMap<>();

  @AfterEach
  void killAll() {
    members.forEach(ChildJvm::close);
  }

  @Test
  void threeLinesAreAStoreThatOutlivesAKillOfEachMember() throws Exception {
    List<String> section = section();
    List<String> lines = section.stream().filter(line -> line.startsWith("java ")).toList();
    assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).contains(" -jar " + JAR));
    assertThat(Files.readAllLines(PAGE)).containsSubsequence(lines);
    findPorts();
    lines.forEach(line -> members.add(start(line)));
    members.forEach(member -> member.await("documents: ready at "));
    assertThat(section).filteredOn(line -> line.startsWith(PROMPT)).hasSize(2);
    for (int i = 0; i < section.size(); i++) {
      String line = section.get(i);
      if (line.startsWith(PROMPT)) {
        awaitOutput(substituted(line.substring(PROMPT.length())), section.get(i + 1));
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      members.get(i).close();
      int other = (i + 1) % lines.size();
      String url = "http://localhost:" + ports.get("808" + (1 + other)) + "/documents/things/";
      // Until another member has the role of the one that was killed, requests may fail with 503.
      Await.until(
          () -> "the document is there: " + answer("GET", url + "car", ""),
          Await.DEADLINE_S,
          () -> answer("GET", url + "car", "").equals("200 {\"color\":\"red\"}"));
      String body = "{\"round\":" + i + "}";
      Await.until(
          "the two others take a write",
          () -> answer("PUT", url + "while", body).matches("20[01] .*"));
      members.set(i, start(lines.get(i)));
      members.get(i).await("documents: ready at ");
      int management = ports.get("808" + (1 + i)) + 1_000;
      String ready = "http://localhost:" + management + "/health/ready";
      Await.until("the member follows", () -> answer("GET", ready, "").startsWith("200"));
    }
    for (ChildJvm member : members) {
      member.terminate();
      assertThat(member.exitCode()).as("%s", member.lines()).isZero();
    }
  }

  private void findPorts() {
    List<Integer> free = FreePorts.find(2 * MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
      ports.put("570" + (1 + i), free.get(i));
      ports.put("808" + (1 + i), free.get(MEMBERS + i));
    }
  }

  /** With ports of its own in place of those of the README. */
  private String substituted(String line) {
    return PORTS.matcher(line).replaceAll(named -> "" + ports.get(named.group()));
  }

  private ChildJvm start(String line) {
    List<String> words = Arrays.asList(substituted(line).split(" "));
    int jar = words.indexOf("-jar");
    List<String> args = new ArrayList<>(words.subList(jar + 2, words.size()));
    args.replaceAll(word -> word.replace("--data=data/", "--data=" + directory + "/"));
    // The README leaves the ports of Hazelcast at their defaults, where members look for others.
    args.add("--cluster-join=" + join());
    return ChildJvm.ofJar(Path.of(System.getProperty("weir.documents.jar")))
        .flags(words.subList(1, jar).toArray(String[]::new))
        .mergeErrors()
        .start(args.toArray(String[]::new));
  }

  private String join() {
    return "127.0.0.1:%d,127.0.0.1:%d,127.0.0.1:%d"
        .formatted(ports.get("5701"), ports.get("5702"), ports.get("5703"));
  }

  private String answer(String method, String url, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .method(method, BodyPublishers.ofString(body))
            .build();
    try {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no answer", e);
    }
  }

  private static List<String> section() throws IOException {
    List<String> lines = Files.readAllLines(README);
    int from = lines.indexOf(SECTION);
    assertThat(from).as("%s in the README", SECTION).isNotNegative();
    int to = from + 1;
    while (to < lines.size() && !lines.get(to).startsWith("## ")) {
      to++;
    }
    return lines.subList(from, to);
  }

  /** The members are ready before each shard has a primary: until then they refuse requests. */
  private static void awaitOutput(String command, String output) {
    AtomicReference<String> said = new AtomicReference<>();
    Await.until(
        () -> command + " prints " + output + ", not " + said,
        () -> {
          said.set(run(command));
          return output.equals(said.get()) || isLater();
        });
  }

  /** False after a while: a process for each attempt takes the CPU that the members need. */
  private static boolean isLater() {
    LockSupport.parkNanos(PAUSE_NS);
    return false;
  }

  private static String run(String command) {
    try {
      Process shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).start();
      String output = shell.inputReader().readLine();
      assertThat(shell.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return output;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no end of " + command, e);
    }
  }
}
