package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.tool.QueueTool;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kills the tool while it changes or copies a directory. */
@Tag("slow")
class ToolCrashTest extends DataDirectoryTestBase {
  private static final int MESSAGES = 3000;
  private static final int MESSAGE = 5000;
  private static final int KILLS = 5;
  private static final int MOST_MS = 400;
  private static final Pattern BODY =
      Pattern.compile("\"queue\":\"(\\w+)\".*\"state\":\"(\\w+)\".*\"text\":\"(\\d+):");

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** The tool, which says when it begins. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      QuietLog.set();
      System.out.println("begins");
      PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
      System.exit(QueueTool.run(InputStream.nullInputStream(), nowhere, System.err, args));
    }
  }

  private record Body(String queue, String state, int number) {}

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setSegmentThresholdBytes(0);
  }

  private void fill(int dead, int handled) {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
      appendAll(queue, texts(0, MESSAGES, MESSAGE));
      QueueReader<String> reader = new QueueReader<>(queue);
      reader.drain(handled);
      for (int i = 0; i < dead; i++) {
        queue.reject(reader.next(), "poison");
      }
      Await.until("they are dead", () -> queue.deadLetters().count() == dead);
      assertThat(other.waiting()).isZero();
    }
  }

  private void kill(Object... command) {
    String[] args = Arrays.stream(command).map(String::valueOf).toArray(String[]::new);
    try (ChildJvm child = ChildJvm.start(Child.class, args)) {
      assertThat(child.says("begins")).as("seed %s", seed).isTrue();
      long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(MOST_MS));
      Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
      child.kill();
    }
  }

  private static List<Body> bodies(Path store) {
    List<Body> bodies = new ArrayList<>();
    for (String line : ToolRun.of("export", store, "--all", "--text").ok().lines()) {
      Matcher body = BODY.matcher(line);
      assertThat(body.find()).as(line.substring(0, Math.min(200, line.length()))).isTrue();
      bodies.add(new Body(body.group(1), body.group(2), Integer.parseInt(body.group(3))));
    }
    return bodies;
  }

  private static List<Integer> numbers(List<Body> bodies) {
    return bodies.stream().map(Body::number).toList();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  private void assertIntact(Path store) {
    assertThat(ToolRun.of("verify", store).ok().out()).as("seed %s", seed).endsWith("intact\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"q", "other"})
  void eachDeadLetterIsInOnePlaceWhenARequeueOrAMoveIsKilled(String to) {
    fill(MESSAGES, 0);
    List<Object> command = new ArrayList<>(List.of("requeue", data(), "--queue", "q", "--all"));
    if (!to.equals("q")) {
      command.addAll(List.of("--to", to));
    }
    for (int i = 0; i <= KILLS; i++) {
      if (i < KILLS) {
        kill(command.toArray());
      } else {
        ToolRun.of(command.toArray()).ok();
      }
      List<Body> bodies = bodies(data());
      assertThat(numbers(bodies).stream().sorted().toList())
          .as("seed %s, round %d", seed, i)
          .isEqualTo(range(0, MESSAGES));
      boolean isLast = i == KILLS;
      assertThat(bodies)
          .allMatch(
              body ->
                  body.state.equals("waiting")
                      ? body.queue.equals(to)
                      : !isLast && body.state.equals("dead") && body.queue.equals("q"));
      assertIntact(data());
    }
  }

  @Test
  void whatWaitsIsThereInOrderWhenACompactionIsKilled() {
    int handled = MESSAGES * 2 / 3;
    fill(0, handled);
    for (int i = 0; i <= KILLS; i++) {
      if (i < KILLS) {
        kill("compact", data());
      } else {
        ToolRun.of("compact", data()).ok();
      }
      assertThat(numbers(bodies(data())))
          .as("seed %s, round %d", seed, i)
          .isEqualTo(range(handled, MESSAGES));
      assertIntact(data());
    }
  }

  @Test
  void theFirstLinesAreThereWhenAnImportIsKilled() {
    fill(0, 0);
    Path lines = directory.resolve("lines");
    ToolRun.of("export", data(), "--all", "--output", lines).ok();
    for (int i = 0; i < KILLS; i++) {
      Path target = directory.resolve("import" + i);
      kill("import", target, lines);
      int imported = 0;
      if (Files.exists(target.resolve("weir.end"))) {
        List<Integer> numbers = numbers(bodies(target));
        imported = numbers.size();
        assertThat(numbers).as("seed %s, round %d", seed, i).isEqualTo(range(0, imported));
        assertIntact(target);
      }
      ToolRun.of("import", target, lines).ok();
      assertThat(bodies(target)).hasSize(imported + MESSAGES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"backup", "restore"})
  void theCopyIsCompleteOrNotThereWhenItIsKilled(String command) {
    fill(0, 100);
    Path from = data();
    if (command.equals("restore")) {
      from = directory.resolve("backup");
      ToolRun.of("backup", data(), from).ok();
    }
    for (int i = 0; i < KILLS; i++) {
      Path target = directory.resolve("copy" + i);
      kill(command, from, target);
      if (Files.notExists(target)) {
        ToolRun.of(command, from, target).ok();
      }
      assertThat(numbers(bodies(target)))
          .as("seed %s, round %d", seed, i)
          .isEqualTo(range(100, MESSAGES));
      assertIntact(target);
      assertThat(numbers(bodies(data()))).isEqualTo(range(100, MESSAGES));
    }
  }
}
