package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is exported and imported is there again: bodies, order, deliveries. */
class ToolRoundTripTest extends DataDirectoryTestBase {
  private static final int MESSAGES = 400;
  private static final int BIG_BYTES = 3 << 20;

  private final Random random = new Random(20261121);

  private Path copy() {
    return directory.resolve("copy");
  }

  private List<byte[]> bodies() {
    List<byte[]> bodies = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      int size = i == 7 ? BIG_BYTES : i % 10 == 0 ? 0 : random.nextInt(2000);
      byte[] body = new byte[size];
      if (i % 2 == 0) {
        random.nextBytes(body);
      }
      bodies.add(body);
    }
    return bodies;
  }

  private void append(List<byte[]> bodies) {
    try (QueueStore store = openStore();
        DurableQueue<byte[]> queue = store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
      List<Outcome> outcomes = new ArrayList<>();
      for (byte[] body : bodies) {
        Outcome outcome = new Outcome();
        queue.append(body, Durability.PROCESS, outcome);
        outcomes.add(outcome);
      }
      outcomes.forEach(outcome -> assertThat(outcome.await().failure()).isNull());
    }
  }

  private List<byte[]> drain(Path from) {
    List<byte[]> bodies = new ArrayList<>();
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(from));
        DurableQueue<byte[]> queue = store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
      bodies.addAll(new QueueReader<>(queue).drainAll());
    }
    return bodies;
  }

  @Test
  void bodiesComeBackInOrder() throws IOException {
    List<byte[]> bodies = bodies();
    append(bodies);
    Path file = directory.resolve("lines");

    ToolRun exported = ToolRun.of("export", data(), "--queue", "q", "--output", file).ok();
    assertThat(exported.out()).isEmpty();
    assertThat(exported.err()).isEqualTo("weir-queue: exported " + MESSAGES + " messages\n");
    assertThat(ToolRun.of("import", copy(), file, "--json").ok().out())
        .isEqualTo("{\"imported\":" + MESSAGES + ",\"leftOut\":0}\n");

    assertThat(ToolRun.of("verify", copy()).ok().out()).endsWith("intact\n");
    List<byte[]> found = drain(copy());
    assertThat(found).hasSameSizeAs(bodies);
    for (int i = 0; i < bodies.size(); i++) {
      assertThat(found.get(i)).as("message %d", i).isEqualTo(bodies.get(i));
    }
  }

  @Test
  void anExportOfAnImportIsTheSameButForTheTime() {
    append(bodies());
    try (QueueStore store = openStore();
        DurableQueue<byte[]> queue = store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
      QueueReader<byte[]> reader = new QueueReader<>(queue);
      assertThat(reader.drain(3)).hasSize(3);
    }
    String first = ToolRun.of("export", data(), "--all", "--text").ok().out();

    ToolRun.withInput(first, "import", copy()).ok();

    String second = ToolRun.of("export", copy(), "--all", "--text").ok().out();
    assertThat(withoutPlace(second)).isEqualTo(withoutPlace(first));
    assertThat(second.lines()).hasSize(MESSAGES - 3);
  }

  private static String withoutPlace(String lines) {
    return lines.replaceAll("\"(sequence|writtenAtMs)\":\\d+,", "");
  }

  @Test
  void deliveriesAreKept() {
    append(List.of(new byte[1], new byte[2]));
    for (int i = 0; i < 3; i++) {
      try (QueueStore store = openStore();
          DurableQueue<byte[]> queue =
              store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
        QueueReader<byte[]> reader = new QueueReader<>(queue);
        queue.release(reader.next());
      }
    }
    String exported = ToolRun.of("export", data(), "--queue", "q").ok().out();
    assertThat(exported.lines().findFirst().orElseThrow()).contains("\"deliveries\":3,");

    ToolRun.withInput(exported, "import", copy()).ok();

    assertThat(ToolRun.of("export", copy(), "--queue", "q").ok().lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("\"deliveries\":3,"),
            second -> assertThat(second).contains("\"deliveries\":0,"));
  }

  @Test
  void importAppendsBehindWhatWaitsAndIntoAnotherQueueIfAsked() throws IOException {
    append(List.of("one".getBytes("US-ASCII")));
    String two = "{\"queue\":\"other\",\"text\":\"two\"}\n";
    ToolRun.withInput(two, "import", data(), "--queue", "q").ok();
    ToolRun.withInput(two, "import", data()).ok();

    assertThat(ToolRun.of("list", data()).ok().lines()).hasSize(3);
    assertThat(drain(data())).extracting(String::new).containsExactly("one", "two");
    assertThat(Files.exists(data().resolve("weir.format"))).isTrue();
  }
}
