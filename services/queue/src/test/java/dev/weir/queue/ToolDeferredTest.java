package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogFiles;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scheduled messages and dead letters, as the tool shows, exports, imports and requeues them. */
class ToolDeferredTest extends DataDirectoryTestBase {
  private static final int FOUND = 1;
  private static final int USAGE = 2;
  private static final long FAR_MS = 4_000_000_000_000L;

  private Path copy() {
    return directory.resolve("copy");
  }

  private static QueueOptions retrying() {
    return new QueueOptions()
        .setOrder(DeliveryOrder.KEY)
        .setRetry(RetryOptions.fixed(5, 50_000_000));
  }

  private static void append(DurableQueue<String> queue, String message, MessageOptions options) {
    Outcome outcome = new Outcome();
    queue.append(message, options, Durability.PROCESS, outcome);
    assertThat(outcome.await().failure()).isNull();
  }

  /**
   * Dead: "dead one", "dead two" (with a key). Waiting to be tried again: "failed" of key k. Behind
   * it: "held 1" and "held 2" of key k. Scheduled: "later". Waiting: "plain".
   */
  private void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying())) {
      QueueReader<String> reader = new QueueReader<>(queue);
      MessageOptions k = MessageOptions.NONE.withKey("k");
      append(queue, "dead one", MessageOptions.NONE.withId("id 1"));
      queue.reject(reader.next(), "reason \"one\"");
      append(queue, "dead two", MessageOptions.NONE.withKey("d").withExpiresAtMs(FAR_MS));
      queue.reject(reader.next(), "reason two");
      append(queue, "failed", k);
      queue.fail(reader.next(), "no luck");
      append(queue, "held 1", k);
      append(queue, "later", MessageOptions.NONE.withNotBeforeMs(FAR_MS));
      append(queue, "held 2", k);
      append(queue, "plain", MessageOptions.NONE);
      Delivery<String> plain = reader.next();
      assertThat(plain.message()).isEqualTo("plain");
      queue.release(plain);
      Await.until(
          "all is in its place",
          () -> queue.stats().deadLetters() == 2 && queue.stats().scheduled() == 2);
    }
  }

  private static List<String> field(ToolRun run, String name) {
    List<String> values = new ArrayList<>();
    for (String line : run.lines()) {
      values.add(line.replaceFirst("^.*\"" + name + "\":\"?([^,\"}]*).*$", "$1"));
    }
    return values;
  }

  @Test
  void allAreCounted() {
    fill();
    assertThat(ToolRun.of("list", data()).ok().lines().get(1)).matches("q +3 +2 +2 +0 +\\d+");
    assertThat(ToolRun.of("verify", data()).ok().out())
        .contains("queue q: 3 waiting, 2 scheduled, 2 dead, 0 transient, ")
        .endsWith("; 0 damaged\nintact\n");
    assertThat(ToolRun.of("stats", data(), "--json").ok().out())
        .contains("\"waiting\":3,\"scheduled\":2,\"dead\":2,\"transient\":0,");
  }

  @Test
  void whatWaitsIsShownInOrderAndThenWhatIsScheduled() {
    fill();
    ToolRun peek = ToolRun.of("peek", data(), "--queue", "q", "--json").ok();
    assertThat(field(peek, "text")).containsExactly("held 1", "held 2", "plain", "failed", "later");
    assertThat(field(peek, "state"))
        .containsExactly("waiting", "waiting", "waiting", "scheduled", "scheduled");
    assertThat(ToolRun.of("peek", data(), "--queue", "q").ok().lines().get(3))
        .matches(
            "3  scheduled  deliveries 1  not before 20\\S+Z  failed attempts 1  reason"
                + " \"no luck\"  key \"k\"  6 bytes  \"failed\"");
    assertThat(ToolRun.of("peek", data(), "--queue", "q", "-n", 4).ok().lines()).hasSize(4);
  }

  @Test
  void deadLettersAreShownWithTheirReason() {
    fill();
    assertThat(ToolRun.of("dead-letters", data(), "--queue", "q").ok().lines())
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .matches(
                        "1  dead  deliveries 1  died 20\\S+Z  failed attempts 1  reason"
                            + " \"reason ..one..\"  id \"id 1\"  8 bytes  \"dead one\""),
            two -> assertThat(two).contains("  expires 2096-").contains("  key \"d\"  8 bytes"));
    assertThat(ToolRun.of("dead-letters", data(), "--queue", "q", "-n", 1, "--json").ok().out())
        .contains("\"state\":\"dead\"")
        .contains("\"diedAtMs\":")
        .hasLineCount(1);
  }

  @Test
  void allComesBackFromAnExport() {
    fill();
    ToolRun exported = ToolRun.of("export", data(), "--all", "--text").ok();
    assertThat(exported.lines()).hasSize(7);

    ToolRun.withInput(exported.out(), "import", copy()).ok();

    ToolRun again = ToolRun.of("export", copy(), "--all", "--text").ok();
    assertThat(withoutPlace(again.out())).isEqualTo(withoutPlace(exported.out()));
    assertThat(ToolRun.of("list", copy()).ok().lines().get(1)).matches("q +3 +2 +2 +0 +\\d+");
    assertThat(ToolRun.of("verify", copy()).ok().out()).endsWith("intact\n");
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(copy()));
        DurableQueue<String> queue = openQueue(store, retrying())) {
      assertThat(queue.deadLetters().list(0, 10))
          .extracting(DeadLetter::reason)
          .containsExactly("reason \"one\"", "reason two");
      assertThat(queue.stats().scheduled()).isEqualTo(2);
      Delivery<String> next = new QueueReader<>(queue).next();
      assertThat(next.message()).as("its key is kept back by what failed").isEqualTo("plain");
      queue.acknowledge(next);
    }
  }

  private static String withoutPlace(String lines) {
    return lines.replaceAll("\"(sequence|writtenAtMs)\":\\d+,", "");
  }

  @Test
  void oneDeadLetterIsRequeuedOrAll() {
    fill();
    String q = "q";
    ToolRun none = ToolRun.of("requeue", data(), "--queue", q, "--sequence", 99);
    assertThat(none.refused(FOUND))
        .isEqualTo("weir-queue: queue q has no dead letter of sequence 99");
    assertThat(ToolRun.of("requeue", data(), "--queue", q).refused(USAGE)).contains("--sequence");

    assertThat(ToolRun.of("requeue", data(), "--queue", q, "--sequence", 2).ok().out())
        .isEqualTo("requeued 1 dead letters of queue q\n");

    assertThat(ToolRun.of("dead-letters", data(), "--queue", q).ok().lines()).hasSize(1);
    assertThat(ToolRun.of("requeue", data(), "--queue", q, "--all", "--json").ok().out())
        .isEqualTo("{\"queue\":\"q\",\"requeued\":1}\n");
    assertThat(ToolRun.of("requeue", data(), "--queue", q, "--all").ok().out())
        .startsWith("requeued 0 ");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> back = new ArrayList<>(reader.next(5));
      back.removeIf(delivery -> !delivery.message().startsWith("dead"));
      assertThat(back).extracting(Delivery::message).containsExactly("dead two", "dead one");
      assertThat(back).extracting(Delivery::failures).containsOnly(0);
      assertThat(back).extracting(Delivery::deliveryCount).containsOnly(1);
      back.forEach(queue::release);
    }
  }

  @Test
  void delayedMessagesThatNobodyHasAskedForAreReleased() {
    long laterMs = System.currentTimeMillis() + 3_600_000;
    MessageOptions later = MessageOptions.NONE.withNotBeforeMs(laterMs);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Outcome outcome = new Outcome();
      queue.append("a", later, Durability.PROCESS, outcome);
      outcome.await();
    }
    assertThat(ToolRun.of("export", data(), "--queue", "q").out())
        .contains("\"state\":\"scheduled\"");
    assertThat(ToolRun.of("list", data()).ok().lines().get(1)).matches("q +0 +1 +0 +0 +\\d+");

    assertThat(ToolRun.of("release", data(), "--queue", "q").ok().out())
        .as("as many as list has counted")
        .isEqualTo("released 1 scheduled messages of queue q\n");
    assertThat(ToolRun.of("release", data(), "--queue", "q").ok().out()).startsWith("released 0 ");

    assertThat(ToolRun.of("export", data(), "--queue", "q").ok().out())
        .contains("\"state\":\"waiting\"")
        .doesNotContain("" + laterMs);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("a");
      Outcome outcome = new Outcome();
      queue.append("b", later, Durability.PROCESS, outcome);
      outcome.await();
      Await.until("one waits", () -> queue.poll() == null && queue.stats().scheduled() == 1);
    }
  }

  @Test
  void listAndExportAgreeAlsoAfterAKill() throws IOException {
    Path killed = directory.resolve("killed");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying())) {
      for (int i = 0; i < 400; i++) {
        MessageOptions key = i % 3 == 0 ? MessageOptions.NONE.withKey("k" + i % 5) : null;
        MessageOptions later = MessageOptions.NONE.withNotBeforeMs(FAR_MS);
        append(queue, "message " + i, i % 7 == 0 ? later : key == null ? MessageOptions.NONE : key);
      }
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 150; i++) {
        Delivery<String> next = reader.next();
        switch (i % 4) {
          case 0 -> queue.fail(next, "no luck");
          case 1 -> queue.reject(next, "poison");
          case 2 -> queue.acknowledge(next);
          default -> assertThat(next.deliveryCount()).isEqualTo(1);
        }
      }
      Await.until("a quarter is dead", () -> queue.deadLetters().count() == 38);
      KilledStore.awaitWritten(queue);
      KilledStore.copy(data(), killed);
    }
    for (Path each : List.of(killed, data())) {
      List<String> states = field(ToolRun.of("export", each, "--all").ok(), "state");
      assertThat(states).contains("waiting", "scheduled", "dead");
      assertThat(ToolRun.of("list", each, "--json").ok().out())
          .contains(
              "\"waiting\":%d,\"scheduled\":%d,\"dead\":%d,\"transient\":0,"
                  .formatted(
                      Collections.frequency(states, "waiting"),
                      Collections.frequency(states, "scheduled"),
                      Collections.frequency(states, "dead")));
    }
  }

  @Test
  void deadLettersArePurgedApartFromTheQueue() {
    fill();
    assertThat(ToolRun.of("dead-letters", data(), "--queue", "q", "--purge").refused(USAGE))
        .isEqualTo("weir-queue: --yes is missing: 2 dead letters of queue q would be deleted");
    assertThat(ToolRun.of("purge", data(), "--queue", "q", "--yes").ok().out())
        .isEqualTo("deleted 5 messages of queue q\n");
    assertThat(ToolRun.of("list", data()).ok().lines().get(1)).matches("q +0 +0 +2 +0 +\\d+");

    assertThat(ToolRun.of("dead-letters", data(), "--queue", "q", "--purge", "--yes").ok().out())
        .isEqualTo("deleted 2 dead letters of queue q\n");

    assertThat(ToolRun.of("list", data()).ok().lines().get(1)).matches("q +0 +0 +0 +0 +0");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waiting()).isZero();
      assertThat(queue.deadLetters().count()).isZero();
    }
  }

  @Test
  void aDamagedDeadLetterIsNamedAndTheOthersAreShown() throws IOException {
    fill();
    Path file = LogFiles.of(data()).get(0);
    byte[] log = Files.readAllBytes(file);
    flipLast(log, "dead one".getBytes("US-ASCII"));
    Files.write(file, log);

    VerifyReport report = QueueVerifier.verify(data());

    assertThat(report.ok()).isFalse();
    assertThat(report.faults()).hasSize(1);
    assertThat(report.lostMessages()).isPositive();
  }

  private static void flipLast(byte[] log, byte[] text) {
    ByteBuffer wanted = ByteBuffer.wrap(text);
    for (int at = log.length - text.length; at >= 0; at--) {
      if (ByteBuffer.wrap(log, at, text.length).equals(wanted)) {
        log[at] ^= 1;
        return;
      }
    }
    throw new AssertionError("not found");
  }

  @Test
  void aDirectoryOfFormatOneIsReadAndNotMarked() throws IOException {
    Files.createDirectory(data());
    Path fixture = Path.of("src/test/resources/format-1");
    for (String name : List.of("00000000.jdb", "weir.format")) {
      Files.copy(fixture.resolve(name), data().resolve(name));
    }
    assertThat(ToolRun.of("list", data()).ok().lines()).hasSizeGreaterThan(1);
    assertThat(ToolRun.of("verify", data()).ok().out()).endsWith("intact\n");
    assertThat(ToolRun.of("export", data(), "--all").ok().lines()).isNotEmpty();
    assertThat(Files.readString(data().resolve("weir.format"))).isEqualTo("1\n");
    ToolRun.of("compact", data()).ok();
    assertThat(Files.readString(data().resolve("weir.format"))).isEqualTo("2\n");
  }
}
