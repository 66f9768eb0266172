package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator changes with the tool is what the store delivers afterwards. */
class ToolChangesTest extends DataDirectoryTestBase {
  private static final int FOUND = 1;
  private static final int USAGE = 2;
  private static final long FAR_MS = 4_000_000_000_000L;
  private static final String Q = "--queue=q";

  private static void append(DurableQueue<String> queue, String message, MessageOptions options) {
    Outcome outcome = new Outcome();
    queue.append(message, options, Durability.PROCESS, outcome);
    assertThat(outcome.await().failure()).isNull();
  }

  /**
   * Sequences 1 to 4 are dead: "timeout a" of id "a", "timeout b" of key "k", "invalid c", "invalid
   * d". Waiting: "one", "two", "three". Scheduled: "later".
   */
  @BeforeEach
  void fill() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store);
        DurableQueue<String> other = openQueue(store, "other", new QueueOptions(), NO_LOSSES)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      append(queue, "timeout a", MessageOptions.NONE.withId("a"));
      append(queue, "timeout b", MessageOptions.NONE.withKey("k"));
      append(queue, "invalid c", MessageOptions.NONE);
      append(queue, "invalid d", MessageOptions.NONE);
      for (int i = 0; i < 4; i++) {
        Delivery<String> next = reader.next();
        queue.reject(next, next.message().startsWith("timeout") ? "Time is up" : "invalid");
      }
      appendAll(queue, List.of("one", "two"));
      append(queue, "later", MessageOptions.NONE.withNotBeforeMs(FAR_MS));
      appendAll(queue, List.of("three"));
      append(other, "other's", MessageOptions.NONE);
      // A delayed message leaves its packet when its turn comes.
      List<Delivery<String>> given = List.of(reader.next(), reader.next(), reader.next());
      given.forEach(queue::release);
      Await.until("all are dead", () -> queue.stats().deadLetters() == 4);
      Await.until("one is scheduled", () -> queue.stats().scheduled() == 1);
    }
  }

  private ToolRun tool(String command, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of(command, data()));
    all.addAll(List.of(arguments));
    return ToolRun.of(all.toArray());
  }

  private List<String> dead(Object... filter) {
    List<Object> arguments = new ArrayList<>(List.of(Q, "--json"));
    arguments.addAll(List.of(filter));
    return tool("dead-letters", arguments.toArray()).ok().lines().stream()
        .map(line -> line.replaceFirst("^.*\"text\":\"([^\"]*)\".*$", "$1"))
        .toList();
  }

  private List<String> drain(String name, int count) {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, name, new QueueOptions(), NO_LOSSES)) {
      List<String> found = new ArrayList<>(new QueueReader<>(queue).drain(count));
      assertThat(queue.stats().waiting()).as("no more than these").isZero();
      return found;
    }
  }

  private long sequence(String body) {
    String line =
        tool("peek", Q, "--json").ok().lines().stream()
            .filter(each -> each.contains("\"text\":\"" + body + "\""))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceFirst("^.*\"sequence\":(\\d+).*$", "$1"));
  }

  @Test
  void deadLettersAreChosenByIdKeyReasonAndTime() {
    assertThat(dead()).containsExactly("timeout a", "timeout b", "invalid c", "invalid d");
    assertThat(dead("--id=a")).containsExactly("timeout a");
    assertThat(dead("--key=k")).containsExactly("timeout b");
    assertThat(dead("--reason=TIME IS")).containsExactly("timeout a", "timeout b");
    assertThat(dead("--reason=TIME IS", "--id=x")).isEmpty();
    String now = Instant.now().plusSeconds(3600).toString();
    assertThat(dead("--before=" + now)).hasSize(4);
    assertThat(dead("--after=" + now)).isEmpty();
    assertThat(dead("--after=2020-01-01T00:00:00Z", "-n", 2)).hasSize(2);
    assertThat(tool("dead-letters", Q, "--after=yesterday").refused(USAGE))
        .contains("--after", "'yesterday' is no time", "2026-01-31T23:59:59Z");
    assertThat(tool("export", Q, "--reason=invalid").ok().lines()).hasSize(2);
    assertThat(tool("peek", Q, "--after=" + now).ok().lines())
        .singleElement()
        .asString()
        .contains("later");
  }

  @Test
  void chosenDeadLettersAreRequeuedAndTheOthersStay() {
    assertThat(tool("requeue", Q, "--reason", "invalid").ok().out())
        .isEqualTo("requeued 2 dead letters of queue q\n");
    assertThat(dead()).containsExactly("timeout a", "timeout b");
    assertThat(tool("list").ok().lines().get(2)).matches("q +5 +1 +2 +0 +\\d+");
    assertThat(tool("peek", Q, "--json").ok().lines())
        .filteredOn(line -> line.contains("\"text\":\"invalid"))
        .hasSize(2)
        .allMatch(line -> line.contains("\"state\":\"waiting\""));
    assertThat(drain("q", 5))
        .containsExactlyInAnyOrder("invalid c", "invalid d", "one", "two", "three");
  }

  @Test
  void whatIsRequeuedMustBeChosen() {
    assertThat(tool("requeue", Q).refused(USAGE)).contains("missing is --all, --sequence, --id");
    assertThat(tool("requeue", Q, "--all", "--id=a").refused(USAGE)).contains("exclude each other");
    for (String rate : List.of("-1", "0", "NaN", "Infinity")) {
      assertThat(tool("requeue", Q, "--all", "--rate=" + rate).refused(USAGE))
          .contains("--rate is " + rate);
    }
    assertThat(tool("requeue", Q, "--sequence=99").refused(FOUND)).contains("of sequence 99");
    assertThat(dead()).hasSize(4);
  }

  @Test
  void deadLettersMoveToAnotherQueueOnce() {
    assertThat(tool("requeue", Q, "--to=absent", "--all").refused(USAGE)).contains("absent");
    assertThat(tool("requeue", Q, "--to=other", "--reason=time").ok().out())
        .isEqualTo("requeued 2 dead letters of queue q into queue other\n");
    assertThat(dead()).containsExactly("invalid c", "invalid d");
    assertThat(drain("other", 3)).containsExactlyInAnyOrder("other's", "timeout a", "timeout b");
    assertThat(drain("q", 3)).containsExactly("one", "two", "three");
  }

  @Test
  void requeuedDeadLettersAreDueOneAfterTheOther() {
    tool("requeue", Q, "--all", "--rate=0.001").ok();
    List<String> scheduled =
        tool("peek", Q, "--json").ok().lines().stream()
            .filter(line -> line.contains("\"state\":\"scheduled\""))
            .toList();
    // The first is due at once; the next ones each 1,000 s later; and one was scheduled before.
    assertThat(scheduled).hasSize(4);
    List<Long> dueMs = new ArrayList<>();
    scheduled.forEach(
        line -> dueMs.add(Long.parseLong(line.replaceFirst("^.*\"notBeforeMs\":(\\d+).*$", "$1"))));
    assertThat(dueMs.get(1) - dueMs.get(0)).isEqualTo(1_000_000);
    assertThat(dueMs.get(2) - dueMs.get(1)).isEqualTo(1_000_000);
  }

  @Test
  void oneMessageIsDeletedInEachState() {
    tool("delete", Q, "--sequence", sequence("two")).ok();
    tool("delete", Q, "--sequence", sequence("later")).ok();
    tool("delete", Q, "--sequence", 2).ok();
    assertThat(tool("delete", Q, "--sequence", 2).refused(FOUND))
        .contains("queue q has no message of sequence 2");
    assertThat(dead()).containsExactly("timeout a", "invalid c", "invalid d");
    assertThat(tool("list").ok().lines().get(2)).matches("q +2 +0 +3 +0 +\\d+");
    assertThat(tool("verify").ok().out()).endsWith("intact\n");
    assertThat(drain("q", 2)).containsExactly("one", "three");
  }

  @Test
  void aSequenceThatNoMessageHasIsNamed() {
    for (long absent : new long[] {-1, -4, Long.MIN_VALUE, 0, 99, Long.MAX_VALUE}) {
      assertThat(tool("delete", Q, "--sequence=" + absent).refused(FOUND))
          .isEqualTo("weir-queue: queue q has no message of sequence " + absent);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.waitingMessages().delete(-4)).isEqualTo(WaitingMessages.Deletion.NOT_FOUND);
      assertThat(queue.waitingMessages().read(-4)).isEmpty();
    }
  }

  @Test
  void theLastMessageOfAPacketIsDeletedToo() {
    for (String body : List.of("one", "two", "three")) {
      tool("delete", Q, "--sequence", sequence(body)).ok();
    }
    assertThat(tool("list").ok().lines().get(2)).matches("q +0 +1 +4 +0 +\\d+");
    assertThat(drain("q", 0)).isEmpty();
  }

  @Test
  void scheduledMessagesAreReleased() {
    assertThat(tool("release", Q).ok().out())
        .isEqualTo("released 1 scheduled messages of queue q\n");
    assertThat(drain("q", 4)).containsExactlyInAnyOrder("later", "one", "two", "three");
  }

  @Test
  void chosenDeadLettersAreDeletedOnceThisIsConfirmed() {
    assertThat(tool("dead-letters", Q, "--purge", "--reason=time").refused(USAGE))
        .contains("--yes is missing: 2 dead letters");
    assertThat(dead()).hasSize(4);
    tool("dead-letters", Q, "--purge", "--reason=time", "--yes").ok();
    assertThat(dead()).containsExactly("invalid c", "invalid d");
  }

  @Test
  void aQueueIsDeletedOnceThisIsConfirmed() {
    assertThat(tool("delete-queue", Q).refused(USAGE))
        .contains("--yes is missing: queue q with 4 messages and 4 dead letters");
    tool("delete-queue", Q, "--yes").ok();
    assertThat(tool("list").ok().lines()).hasSize(2);
    assertThat(tool("verify").ok().out()).endsWith("intact\n");
    assertThat(drain("other", 1)).containsExactly("other's");
    assertThat(drain("q", 0)).as("a new queue of the name is empty").isEmpty();
  }
}
