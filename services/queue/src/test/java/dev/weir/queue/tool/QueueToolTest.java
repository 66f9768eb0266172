package dev.weir.queue.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.CrashChild;
import dev.weir.queue.DataDirectoryTestBase;
import dev.weir.queue.Delivery;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.JeMarks;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueReader;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.ToolRun;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of the tool, its output, its refusals and its exit codes. */
class QueueToolTest extends DataDirectoryTestBase {
  private static final List<String> ALL_COMMANDS =
      List.of(
          "list",
          "stats",
          "verify",
          "compact",
          "import",
          "peek --queue q",
          "export --all",
          "purge --queue q --yes",
          "requeue --queue q --all",
          "dead-letters --queue q");

  private static final int FOUND = 1;
  private static final int USAGE = 2;
  private static final int UNUSABLE = 3;
  private static final int MEMORY = 4;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(1024);
  }

  /** Queue q: 10 messages, the first delivered and acknowledged, the second delivered only. */
  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
      appendAll(queue, texts(0, 10, 20));
      Delivery<String> first = queue.poll();
      Delivery<String> second = queue.poll();
      queue.acknowledge(first);
      queue.release(second);
      appendAll(other, texts(0, 1, 5));
    }
  }

  private Map<String, String> content() throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(data())) {
      for (Path file : files.toList()) {
        if (!file.toString().endsWith(".lock") && !file.toString().endsWith(".lck")) {
          byte[] bytes = Files.readAllBytes(file);
          content.put(
              file.getFileName().toString(), new String(bytes, StandardCharsets.ISO_8859_1));
        }
      }
    }
    return content;
  }

  @Test
  void listCountsWhatIsStillToBeDelivered() {
    fill();

    assertThat(ToolRun.of("list", data()).ok().lines())
        .satisfiesExactly(
            head -> assertThat(head).matches("queue +waiting +scheduled +dead +transient +bytes"),
            other -> assertThat(other).matches("other +1 +0 +0 +0 +\\d+"),
            queue -> assertThat(queue).matches("q +9 +0 +0 +0 +\\d+"));
    assertThat(ToolRun.of("list", "--json", data()).ok().lines().get(1))
        .startsWith(
            "{\"queue\":\"q\",\"waiting\":9,\"scheduled\":0,\"dead\":0,\"transient\":0,\"bytes\":");
  }

  @Test
  void statsTellsHowOldAndHowLarge() {
    fill();

    String text = ToolRun.of("stats", data()).ok().out();
    assertThat(text).containsPattern("log files +1\n").containsPattern("in use +\\d+ %\n");
    assertThat(text).containsPattern("q +9 +0 +0 +0 +\\d+ +\\d+ +20\\S+Z +20\\S+Z\n");
    assertThat(ToolRun.of("stats", data(), "--json").ok().out())
        .containsPattern("\"queue\":\"q\",\"waiting\":9,.*\"oldestMs\":\\d+,\"newestMs\":\\d+");
  }

  @Test
  void peekShowsTheNextMessagesAndNoneThatWasAcknowledged() {
    fill();

    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", 2).ok().lines())
        .satisfiesExactly(
            second ->
                assertThat(second)
                    .matches(
                        "2  waiting  deliveries 1  20\\S+Z  20 bytes  \"" + text(1, 20) + "\""),
            third -> assertThat(third).startsWith("3  waiting  deliveries 0  "));
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", 1, "--body-bytes", 3).ok().out())
        .endsWith("\"1:x\" and 17 bytes more\n");
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", 1, "--json").ok().out())
        .contains("\"sequence\":2,\"deliveries\":1,")
        .endsWith("\"bodyBytes\":20,\"shownBytes\":20,\"text\":\"" + text(1, 20) + "\"}\n");
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", 0).ok().out()).isEmpty();
    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().lines()).hasSize(9);
  }

  @Test
  void peekShowsNoBytesThatWouldHarmATerminal() {
    String lines =
        "{\"queue\":\"q\",\"text\":\"\\u001b[2J\"}\n"
            + "{\"queue\":\"q\",\"text\":\"a\\n"
            + "b \\\"\u00e9\"}\n"
            + "{\"queue\":\"q\",\"body\":\"gIGC\"}\n"
            + "{\"queue\":\"q\",\"body\":\"\"}\n";
    ToolRun.withInput(lines, "import", data()).ok();

    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().lines())
        .satisfiesExactly(
            escape -> assertThat(escape).endsWith("4 bytes  base64 G1sySg=="),
            newline -> assertThat(newline).endsWith("7 bytes  \"a\\nb \\\"\u00e9\""),
            binary -> assertThat(binary).endsWith("3 bytes  base64 gIGC"),
            empty -> assertThat(empty).endsWith("0 bytes  \"\""));
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "--body-bytes", 6).ok().lines().get(1))
        .as("a character in two bytes is not cut")
        .endsWith("7 bytes  \"a\\nb \\\"\" and 2 bytes more");
  }

  @Test
  void requestsThatNobodyWaitsForAreMarked() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            openQueue(store, "q", new QueueOptions().setWriteThrough(true), NO_LOSSES)) {
      queue.offer("request", null, false);
      appendAll(queue, texts(0, 1, 5));
    }

    assertThat(ToolRun.of("list", data()).ok().lines().get(1)).matches("q +1 +0 +0 +1 +\\d+");
    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().lines().get(0))
        .startsWith("1  waiting transient  ");
    ToolRun without = ToolRun.of("export", data(), "--all").ok();
    assertThat(without.lines()).hasSize(1);
    assertThat(without.err()).contains("exported 1 messages, without 1 transient messages");
    ToolRun with = ToolRun.of("export", data(), "--all", "--with-transient").ok();
    assertThat(with.lines()).hasSize(2).first().asString().contains("\"transient\":true");
    ToolRun imported = ToolRun.withInput(with.out(), "import", directory.resolve("copy")).ok();
    assertThat(imported.out()).isEqualTo("imported 1 messages, without 1 transient messages\n");
  }

  @Test
  void purgeAsksForAYes() {
    fill();
    assertThat(ToolRun.of("purge", data(), "--queue", "q").refused(USAGE))
        .isEqualTo("weir-queue: --yes is missing: 9 messages of queue q would be deleted");

    assertThat(ToolRun.of("purge", data(), "--queue", "q", "--yes").ok().out())
        .isEqualTo("deleted 9 messages of queue q\n");

    assertThat(ToolRun.of("purge", data(), "--queue", "q", "--yes", "--json").ok().out())
        .isEqualTo("{\"queue\":\"q\",\"deleted\":0,\"deletedTransient\":0}\n");
    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().out()).isEmpty();
    assertThat(ToolRun.of("peek", data(), "--queue", "other").ok().lines()).hasSize(1);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isZero();
      appendAll(queue, texts(0, 3, 10));
    }
    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().lines()).hasSize(3);
    assertThat(ToolRun.of("verify", data()).ok().out()).endsWith("intact\n");
  }

  @Test
  void compactGivesSpaceBackAndKeepsWhatWaits() {
    try (QueueStore store = openStore();
        DurableQueue<String> others = openQueue(store, "others", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> queue = openQueue(store)) {
      appendMixed(others, queue, 4000);
      new QueueReader<>(queue).drain(1590);
    }
    long before = sizeOf(data());
    String kept = ToolRun.of("export", data(), "--queue", "q").ok().out();

    assertThat(ToolRun.of("compact", data()).ok().out())
        .matches("log bytes before \\d+, after \\d+\n");

    assertThat(sizeOf(data())).isLessThan(before * 3 / 4);
    assertThat(ToolRun.of("export", data(), "--queue", "q").ok().out()).isEqualTo(kept);
    assertThat(kept.lines()).hasSize(10);
    assertThat(ToolRun.of("compact", data(), "--json").ok().out())
        .matches("\\{\"bytesBefore\":\\d+,\"bytesAfter\":\\d+}\n");
    assertThat(ToolRun.of("verify", data()).ok().out()).endsWith("intact\n");
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"export --all", "peek --queue q", "verify"})
  void aHeapThatIsTooSmallForAMessageIsOneLineWithACodeOfItsOwn(String command) {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      for (int i = 0; i < 4; i++) {
        appendAll(queue, texts(i, i + 1, 30_000_000));
      }
    }
    String[] args =
        Stream.concat(Stream.of(command.split(" ")), Stream.of(data() + "")).toArray(String[]::new);
    try (ChildJvm child = ChildJvm.of(QueueTool.class).flags("-Xmx64m").mergeErrors().start(args)) {
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isEqualTo(MEMORY);
      assertThat(child.lines()).hasSize(1);
      assertThat(child.lines().get(0)).contains("the heap of", "-Xmx");
    }
  }

  @Test
  void commandsThatOnlyLookChangeNothing() throws IOException {
    fill();
    Map<String, String> before = content();

    ToolRun.of("list", data()).ok();
    ToolRun.of("stats", data()).ok();
    ToolRun.of("peek", data(), "--queue", "q").ok();
    ToolRun.of("export", data(), "--all").ok();
    ToolRun.of("verify", data()).ok();
    ToolRun.of("purge", data(), "--queue", "q").refused(USAGE);

    assertThat(content()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"list", "stats", "verify", "compact", "peek --queue q", "export --all"})
  void aDirectoryThatCannotBeUsedIsNamedInOneLine(String command) throws IOException {
    Object[] args = Stream.concat(Stream.of(command.split(" ")), Stream.of(data())).toArray();
    assertThat(ToolRun.of(args).refused(UNUSABLE)).endsWith(data() + " does not exist");

    Files.writeString(data(), "x");
    assertThat(ToolRun.of(args).refused(UNUSABLE)).endsWith(data() + " is not a directory");

    Files.delete(data());
    Files.createDirectory(data());
    assertThat(ToolRun.of(args).refused(UNUSABLE))
        .endsWith(data() + " holds no store: it has no file weir.format");
    assertThat(data()).isEmptyDirectory();

    Files.writeString(data().resolve(StoreDirectory.FORMAT_FILE), "99\n");
    assertThat(ToolRun.of(args).refused(UNUSABLE)).contains(data() + " has format 99, ");

    Files.writeString(data().resolve(StoreDirectory.FORMAT_FILE), "one\n");
    assertThat(ToolRun.of(args).refused(UNUSABLE)).contains("weir.format holds 'one'");

    Files.writeString(data().resolve(StoreDirectory.FORMAT_FILE), "-1\n");
    assertThat(ToolRun.of(args).refused(UNUSABLE)).contains("weir.format holds -1, ");
    assertThatThrownBy(this::openStore).hasMessageContaining("weir.format holds -1, allowed is");
  }

  @Tag("slow")
  @Test
  void everyCommandRefusesADirectoryInUse() throws IOException {
    Path other = directory.resolve("child");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        ChildJvm child = ChildJvm.start(CrashChild.class, other.toString(), "PROCESS", "1", "0")) {
      appendAll(queue, texts(0, 1, 10));
      assertThat(child.says(JeMarks.OPENED)).isTrue();
      for (String command : ALL_COMMANDS) {
        assertThat(refusal(command, data()))
            .as(command)
            .isEqualTo("weir-queue: directory " + data() + " is in use by this process");
        assertThat(refusal(command, other))
            .as(command)
            .contains(other + " is in use by process " + child.pid() + " on ");
      }
    }
  }

  private static String refusal(String command, Path directory) {
    Object[] args = Stream.concat(Stream.of(command.split(" ")), Stream.of(directory)).toArray();
    return ToolRun.of(args).refused(UNUSABLE);
  }

  @Test
  void aStoreWithoutALogIsRefused() throws IOException {
    Files.createDirectory(data());
    Files.writeString(data().resolve(StoreDirectory.FORMAT_FILE), "1\n");

    assertThat(ToolRun.of("list", data()).refused(UNUSABLE))
        .endsWith("holds no store: it has no log file");
    assertThat(ToolRun.of("verify", data()).refused(UNUSABLE))
        .endsWith("holds no store: it has no log file");
  }

  /** The tool in a pipe; its own exit code, not that of {@code head}. */
  private Process intoHead(String command) throws IOException {
    String tool =
        "%s -Xmx128m -cp %s %s %s | head -1; exit ${PIPESTATUS[0]}"
            .formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"),
                QueueTool.class.getName(),
                command);
    return new ProcessBuilder("bash", "-c", tool)
        .redirectError(directory.resolve("err").toFile())
        .start();
  }

  @Test
  void whoeverReadsTheOutputMayEndBeforeTheTool() throws IOException, InterruptedException {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 1000, 1000));
    }
    for (String command : List.of("peek --queue q --count 1000 ", "export --all ")) {
      Process process = intoHead(command + data());
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(command).isZero();
      assertThat(out.lines()).as(command).hasSize(1);
      assertThat(Files.readString(directory.resolve("err"))).as(command).isEmpty();
    }
  }

  @Test
  void aLogWithoutItsMarkIsReadByToolAndStoreAlike() throws IOException {
    fill();
    Files.delete(data().resolve(StoreDirectory.FORMAT_FILE));
    assertThat(ToolRun.of("list", data()).ok().lines()).hasSize(3);
    assertThat(Files.exists(data().resolve(StoreDirectory.FORMAT_FILE))).isFalse();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isEqualTo(9);
    }
    assertThat(data().resolve(StoreDirectory.FORMAT_FILE)).exists();
  }

  @Test
  void aWrongCommandLineIsNamedInOneLine() {
    fill();
    assertThat(ToolRun.of().refused(USAGE)).contains("a command is missing");
    assertThat(ToolRun.of("lst", data()).refused(USAGE)).contains("'lst'");
    assertThat(ToolRun.of("list").refused(USAGE)).contains("DIR").contains("list --help");
    assertThat(ToolRun.of("peek", data()).refused(USAGE)).contains("--queue");
    assertThat(ToolRun.of("export", data()).refused(USAGE)).contains("--queue").contains("--all");
    assertThat(ToolRun.of("export", data(), "--all", "--queue", "q").refused(USAGE))
        .contains("--all");
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", "-1").refused(USAGE))
        .contains("--count is -1, allowed is 0 or more");
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", "x").refused(USAGE))
        .contains("--count")
        .contains("'x'");
    assertThat(ToolRun.of("list", data(), "--nonsense").refused(USAGE)).contains("--nonsense");
    for (String command : new String[] {"peek", "export", "purge", "dead-letters"}) {
      assertThat(ToolRun.of(command, data(), "--queue", "none").refused(USAGE))
          .endsWith("queue 'none' is not in directory " + data() + ", which has other, q");
    }
    assertThat(ToolRun.of("purge", data(), "--queue", "none", "--yes").refused(USAGE))
        .contains("which has other, q");
  }

  @Test
  void helpTellsTheExitCodes() {
    String help = ToolRun.of("--help").ok().out();
    assertThat(help)
        .startsWith("Usage: weir-queue ")
        .containsOnlyOnce("Usage:")
        .contains("Exit codes:", "0   ", "1   ", "2   ", "3   ");
    for (String command :
        new String[] {
          "list",
          "stats",
          "peek",
          "export",
          "import",
          "purge",
          "requeue",
          "dead-letters",
          "verify",
          "compact",
          "backup",
          "restore",
          "release",
          "delete",
          "delete-queue"
        }) {
      assertThat(help).contains(command);
      assertThat(ToolRun.of(command, "--help").ok().out())
          .startsWith("Usage: weir-queue " + command)
          .containsOnlyOnce("Usage:");
    }
    assertThat(ToolRun.of("--version").ok().out()).startsWith("weir-queue ");
  }

  @Test
  void anInvalidLineIsNamedAndEndsTheImport() {
    String good = "{\"queue\":\"q\",\"text\":\"good\"}\n";
    Map<String, String> bad = new TreeMap<>();
    bad.put("", "no JSON");
    bad.put("[]", "no JSON object");
    bad.put("{\"queue\":\"q\"", "no JSON: ");
    bad.put("{\"queue\":\"q\"}", "no body: neither a field 'body' nor 'text'");
    bad.put("{\"text\":\"x\"}", "no queue: neither a field 'queue' nor --queue");
    bad.put("{\"queue\":\" \",\"text\":\"x\"}", "no queue");
    bad.put("{\"queue\":\"q\",\"body\":\"%%\"}", "body is not base64");
    bad.put("{\"queue\":\"q\",\"body\":7}", "body is not a string in base64");
    bad.put("{\"queue\":\"q\",\"body\":\"gIGC\",\"text\":\"x\"}", "body and text differ");
    bad.put("{\"queue\":\"q\",\"text\":\"x\",\"more\":1}", "unknown field 'more'");
    bad.put("{\"queue\":\"q\",\"text\":\"x\",\"text\":\"y\"}", "no JSON: Duplicate field 'text'");
    bad.put("{\"queue\":\"q\",\"text\":\"x\"} {}", "more than one JSON object");
    bad.put("{\"queue\":\"q\",\"text\":\"x\",\"deliveries\":-1}", "deliveries is not 0 to ");
    bad.put("{\"queue\":\"q\",\"text\":\"x\",\"deliveries\":\"1\"}", "deliveries is not a whole");
    bad.put("{\"queue\":\"q\",\"text\":\"x\",\"state\":\"lost\"}", "state is 'lost', allowed is");
    bad.remove("");
    int number = 0;
    for (Map.Entry<String, String> line : bad.entrySet()) {
      Path into = directory.resolve("import" + number++);
      ToolRun run = ToolRun.withInput(good + "\n" + line.getKey() + "\n" + good, "import", into);
      assertThat(run.exitCode()).as(line.getKey()).isEqualTo(FOUND);
      assertThat(run.err())
          .hasLineCount(1)
          .startsWith("weir-queue: line 3: " + line.getValue())
          .endsWith("; this line and all lines after it are not imported\n");
      assertThat(run.out()).isEqualTo("imported 1 messages\n");
      assertThat(ToolRun.of("peek", into, "--queue", "q").ok().lines()).hasSize(1);
    }
  }

  @Test
  void whatIsNotUtf8IsRefused() {
    byte[] input = "{\"queue\":\"q\",\"text\":\"\u00e9\"}\n".getBytes(StandardCharsets.ISO_8859_1);
    ToolRun run = ToolRun.withInput(input, "import", data());
    assertThat(run.exitCode()).isEqualTo(FOUND);
    assertThat(run.err()).contains("line 1 or a later one is not UTF-8");
  }

  @Test
  void filesThatCannotBeUsedAreNamed() throws IOException {
    fill();
    Path file = directory.resolve("lines");
    assertThat(ToolRun.of("import", data(), file).refused(USAGE))
        .isEqualTo("weir-queue: FILE is " + file + ", which does not exist");
    Files.writeString(file, "mine");
    assertThat(ToolRun.of("export", data(), "--all", "--output", file).refused(USAGE))
        .isEqualTo("weir-queue: --output is " + file + ", which exists already");
    assertThat(file).hasContent("mine");
    Path nowhere = directory.resolve("no/where");
    assertThat(ToolRun.of("export", data(), "--all", "--output", nowhere).refused(UNUSABLE))
        .contains("NoSuchFileException")
        .contains(nowhere.toString());
    Path strange = Files.createDirectory(directory.resolve("strange"));
    Files.writeString(strange.resolve("file"), "x");
    assertThat(ToolRun.of("import", strange).refused(UNUSABLE)).contains("holds no store");
    assertThat(strange.resolve("weir.lock")).doesNotExist();
  }

  @Test
  void aWordThatIsNoCommandGetsASuggestion() {
    assertThat(ToolRun.of("lst", data()).refused(USAGE)).contains("did you mean");
  }
}
