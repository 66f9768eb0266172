package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.queue.CrashModelChild.Then;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills processes that do random things to queues of every order, and checks what they said against
 * a {@link CrashModel}. Several processes in turn work on one directory; then it is drained, and so
 * is every backup they made. What is checked:
 *
 * <ul>
 *   <li>a message whose append completed is delivered, a dead letter, or was purged;
 *   <li>none is delivered after its acknowledgement was committed: at an orderly close, at the
 *       completion of a later append to the same queue, or after two seconds of work; none while it
 *       is out, after its acknowledgement, rejection or purge in the same process, with another's
 *       body, key or sequence, or if its id was known;
 *   <li>none overtakes another: of its queue when it is first delivered, of its key until that is
 *       done with, where messages wait for their key;
 *   <li>a dead letter is listed until it is requeued or purged;
 *   <li>a backup has what was durable when it began.
 * </ul>
 */
@Tag("slow")
class CrashModelTest extends QueueTestBase {
  private static final long NUMBERS_PER_ROUND = 1_000_000;
  private static final int ROUNDS_PER_DIRECTORY = 20;

  @TempDir Path backups;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<Character, Long> counts = new TreeMap<>();
  private final List<String> log = new ArrayList<>();
  private int backupsChecked;

  @Test
  @Timeout(900)
  void whatWasAcceptedComesInOrderUntilItIsAcknowledgedOverTenKills() throws IOException {
    kill(10);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void whatWasAcceptedComesInOrderUntilItIsAcknowledgedOverTwoHundredKills() throws IOException {
    kill(200);
  }

  private void kill(int kills) throws IOException {
    System.out.println("crash model test: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    for (int done = 0; done < kills; done += ROUNDS_PER_DIRECTORY) {
      sequence(done, Math.min(kills, done + ROUNDS_PER_DIRECTORY));
    }
    System.out.printf(
        "crash model test: %d kills, %d backups opened; lines: %s%n",
        kills, backupsChecked, counts);
    assertThat(counts.keySet()).contains('A', 'D', 'K');
    if (kills > 100) {
      assertThat(counts.keySet()).contains('F', 'J', 'P', 'R', 'U', 'L', 'C');
      assertThat(backupsChecked).isPositive();
    }
  }

  private void sequence(int from, int to) throws IOException {
    Path store = Files.createDirectory(directory.resolve("store" + from));
    boolean cleaning = random.nextBoolean();
    if (cleaning) {
      Files.writeString(
          store.resolve("je.properties"),
          """
          je.checkpointer.bytesInterval=20000
          je.cleaner.bytesInterval=20000
          je.cleaner.minUtilization=80
          """);
    }
    CrashModel model = new CrashModel();
    log.clear();
    for (int round = from + 1; round <= to; round++) {
      run(round, store, cleaning).forEach(line -> take(model, line));
      model.killed();
      assertNothingWrong(model, "round " + round);
      checkBackups(model, round);
    }
    drain(store, model, "drained after round " + to);
    drain(store, model, "drained again after round " + to);
    model.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
  }

  private void take(CrashModel model, String line) {
    log.add(line);
    model.take(line);
  }

  // ---- killing

  private List<String> run(int round, Path store, boolean cleaning) throws IOException {
    Durability durability = random.nextBoolean() ? Durability.PROCESS : Durability.MACHINE;
    int markAtLines = 1 + random.nextInt(random.nextInt(4) == 0 ? 20 : 3000);
    String aim = aim(cleaning);
    Then then =
        aim.equals(CrashModelChild.HERE)
            ? Then.values()[random.nextInt(Then.values().length)]
            : Then.GO_ON;
    long aliveMs = aliveMs(aim, then);
    try (ChildJvm child =
        ChildJvm.start(
            CrashModelChild.class,
            store.toString(),
            backups.toString(),
            durability.name(),
            Long.toString(random.nextLong()),
            Long.toString(round * NUMBERS_PER_ROUND),
            Integer.toString(markAtLines),
            then.name())) {
      String when = round + ", " + durability + ", " + aliveMs + " ms after " + aim + " " + then;
      log.add("round " + when);
      assertThat(child.says(aim)).as("seed %s: round %s", seed, when).isTrue();
      long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aliveMs);
      Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
      assertThat(child.isAlive()).as("seed %s: round %s", seed, when).isTrue();
      child.kill();
      return child.allLines();
    }
  }

  private String aim(boolean cleaning) {
    return switch (random.nextInt(cleaning ? 10 : 8)) {
      case 0 -> CrashModelChild.OPEN;
      case 1, 2 -> CrashModelChild.OPENED;
      case 8 -> JeMarks.CLEAN + CrashModelChild.END;
      case 9 -> JeMarks.CHECKPOINT + CrashModelChild.END;
      default -> CrashModelChild.HERE;
    };
  }

  private long aliveMs(String aim, Then then) {
    if (aim.equals(CrashModelChild.OPEN)) {
      return random.nextInt(450);
    }
    if (aim.equals(CrashModelChild.OPENED)) {
      return random.nextInt(10) == 0 ? 2500 + random.nextInt(500) : random.nextInt(600);
    }
    return random.nextInt(then == Then.GO_ON ? 3 : then == Then.CLOSE ? 80 : 30);
  }

  // ---- checking

  private void checkBackups(CrashModel model, int round) throws IOException {
    for (Map.Entry<Long, CrashModel> backup : model.takeBackups().entrySet()) {
      Path copy = backups.resolve(backup.getKey().toString());
      drain(copy, backup.getValue(), "backup " + backup.getKey() + " of round " + round);
      backupsChecked++;
    }
  }

  private void drain(Path store, CrashModel model, String when) throws IOException {
    log.add(when);
    try (CrashModelChild last =
        new CrashModelChild(store, backups, Durability.PROCESS, 0, 0, line -> take(model, line))) {
      for (CrashClient client : last.clients()) {
        client.drain();
        QueueStats stats = client.stats();
        assertThat(stats.lost() + stats.corruptPackets() + stats.bytes())
            .as("seed %s, %s: %s", seed, when, stats)
            .isZero();
      }
      model.drained();
      assertNothingWrong(model, when);
    }
    model.killed();
  }

  private void assertNothingWrong(CrashModel model, String when) throws IOException {
    if (!model.wrong.isEmpty()) {
      Path said = Files.write(Path.of("target", "crash-model-" + seed + ".log"), log);
      fail(
          "seed %s, %s: %s%nwhat the processes said is in %s",
          seed, when, String.join("\n", model.wrong), said);
    }
  }
}
