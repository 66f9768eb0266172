package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills and stops of echo while clients post events: what got 202 is processed. */
@Tag("slow")
class EchoKillTest {
  private static final int CLIENTS = 4;
  private static final int EVENTS_BETWEEN = 200;
  private static final long PATIENCE_S = 120;

  @TempDir private Path directory;
  private int port;

  @Test
  void everyAcceptedEventIsProcessedOverKills() throws Exception {
    run(2, true);
  }

  @Test
  void everyAcceptedEventIsProcessedOverStops() throws Exception {
    run(2, false);
  }

  @Test
  @Tag("soak")
  void everyAcceptedEventIsProcessedOverTwentyKills() throws Exception {
    run(20, true);
  }

  @Test
  @Tag("soak")
  void everyAcceptedEventIsProcessedOverTwentyStops() throws Exception {
    run(20, false);
  }

  private void run(int rounds, boolean kill) throws Exception {
    port = FreePorts.one();
    ChildJvm echo = start();
    EchoProcess.port(echo);
    List<EventClient> clients =
        IntStream.range(0, CLIENTS).mapToObj(i -> new EventClient("" + i, port)).toList();
    try {
      clients.forEach(Thread::start);
      for (int round = 0; round < rounds; round++) {
        awaitMoreEvents(clients, echo);
        end(echo, kill);
        echo = start();
        EchoProcess.port(echo);
      }
      awaitMoreEvents(clients, echo);
      Map<String, String> accepted = new HashMap<>();
      for (EventClient client : clients) {
        accepted.putAll(client.end());
        assertThat(client.unexpected()).as("an answer other than 202 or not now").isNull();
      }
      end(echo, false);
      assertProcessed(accepted);
    } finally {
      for (EventClient client : clients) {
        client.end();
      }
      echo.close();
    }
  }

  private ChildJvm start() {
    return EchoProcess.start(
        "--http-port",
        "" + port,
        "--data",
        directory.resolve("data").toString(),
        "--set",
        "echo.journal=" + directory.resolve("journal"));
  }

  private static void awaitMoreEvents(List<EventClient> clients, ChildJvm echo)
      throws InterruptedException {
    int enough = count(clients) + EVENTS_BETWEEN;
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (count(clients) < enough) {
      assertThat(echo.isAlive()).as("alive, it said %s", echo.lines()).isTrue();
      assertThat(System.nanoTime() - endNs)
          .as("%s of %s events", count(clients), enough)
          .isNegative();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private static int count(List<EventClient> clients) {
    return clients.stream().mapToInt(EventClient::acceptedCount).sum();
  }

  private static void end(ChildJvm echo, boolean kill) throws InterruptedException {
    if (kill) {
      echo.kill();
      echo.exitCode();
    } else {
      echo.terminate();
      assertThat(echo.exitCode()).as("exit code, it said %s", echo.lines()).isZero();
    }
  }

  /** An effect is keyed by the id of its message: one that comes again has the same one. */
  private void assertProcessed(Map<String, String> accepted) throws IOException {
    Map<String, Set<String>> idsByEvent = new HashMap<>();
    for (String line : Files.readAllLines(directory.resolve("journal"))) {
      String[] words = line.split(" ");
      idsByEvent.computeIfAbsent(words[2], event -> new HashSet<>()).add(words[0]);
    }
    accepted.forEach(
        (event, id) -> {
          if (EventClient.hasKey(event)) {
            assertThat(idsByEvent.get(event)).as("ids of %s", event).containsExactly(id);
          } else {
            assertThat(idsByEvent.get(event)).as("ids of %s", event).contains(id);
          }
        });
  }
}
