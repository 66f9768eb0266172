package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the process behind a gateway, with SIGKILL, while events with keys come in, and sends all
 * again that was not answered, and much that was. Each time a key is sent it is with another body,
 * so that a message that was added twice is seen even if the first was handled before the kill.
 */
@Tag("slow")
@Timeout(600)
class EventCrashTest {
  private static final int KILLS = 6;
  private static final int IN_FLIGHT = 50;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Set<Integer> unanswered = ConcurrentHashMap.newKeySet();
  private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<String>> handled = new ConcurrentHashMap<>();

  /** The round in which a key was sent first. */
  private final Map<Integer, Integer> firstRounds = new ConcurrentHashMap<>();

  private final Set<String> mistakes = ConcurrentHashMap.newKeySet();
  private Process child;
  private Thread reader;
  private int port;
  private int nextKey;

  @AfterEach
  void killTheChild() {
    if (child != null) {
      child.destroyForcibly();
    }
  }

  @Test
  void everyAcceptedKeyIsHandledAndNoneTwice() throws Exception {
    for (int round = 0; round < KILLS; round++) {
      start(round);
      Thread killer = killLater();
      sendUntilDead(round);
      killer.join();
      child.waitFor();
      reader.join();
    }
    start(KILLS);
    sendTheRest();
    Await.until(
        "all that was accepted is handled, seed " + seed,
        () -> accepted.stream().allMatch(key -> handled.containsKey("key-" + key)));
    assertThat(mistakes).as("seed %d", seed).isEmpty();
    assertThat(handled.values()).as("seed %d", seed).allMatch(bodies -> bodies.size() == 1);
    assertThat(accepted.size()).as("seed %d", seed).isGreaterThan(KILLS);
  }

  private void start(int round) throws IOException, InterruptedException {
    Path errors = directory.resolve("errors-" + round + ".txt");
    child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EventCrashChild.class.getName(),
                directory.resolve("data").toString())
            .redirectError(errors.toFile())
            .start();
    BufferedReader lines = child.inputReader();
    CompletableFuture<Integer> listening = new CompletableFuture<>();
    reader = new Thread(() -> read(lines, listening));
    reader.start();
    try {
      port = listening.get(120, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError("child " + round + ": " + Files.readString(errors), e);
    }
  }

  private void read(BufferedReader lines, CompletableFuture<Integer> listening) {
    lines
        .lines()
        .forEach(
            line -> {
              String[] words = line.split(" ");
              switch (words[0]) {
                case "P" -> listening.complete(Integer.parseInt(words[1]));
                case "H" ->
                    handled
                        .computeIfAbsent(words[1], id -> ConcurrentHashMap.newKeySet())
                        .add(words[2]);
                default -> mistakes.add(line);
              }
            });
    listening.completeExceptionally(new IOException("the child has ended"));
  }

  private Thread killLater() {
    long lifeMs = 50 + random.nextInt(500);
    Thread killer =
        new Thread(
            () -> {
              Process doomed = child;
              try {
                doomed.waitFor(lifeMs, TimeUnit.MILLISECONDS);
              } catch (InterruptedException e) {
                mistakes.add("interrupted");
              }
              // The process itself would close its output: what it has said would be lost.
              doomed.toHandle().destroyForcibly();
            });
    killer.start();
    return killer;
  }

  /** What was not answered before, some of what was, and new keys. */
  private void sendUntilDead(int round) throws InterruptedException {
    ArrayDeque<Integer> again = new ArrayDeque<>(unanswered);
    accepted.stream().filter(key -> key % 7 == round % 7).forEach(again::add);
    Semaphore room = new Semaphore(IN_FLIGHT);
    while (child.isAlive()) {
      room.acquire();
      int key = again.isEmpty() ? nextKey++ : again.poll();
      send(key, round).whenComplete((response, failure) -> room.release());
    }
    room.acquire(IN_FLIGHT);
  }

  private void sendTheRest() {
    Set<Integer> last = Set.copyOf(unanswered);
    for (int key : last) {
      send(key, KILLS).join();
    }
    accepted.forEach(key -> send(key, KILLS).join());
    assertThat(mistakes).as("seed %d", seed).isEmpty();
    assertThat(unanswered).as("seed %d", seed).isEmpty();
  }

  private CompletableFuture<Void> send(int key, int round) {
    if (!accepted.contains(key)) {
      unanswered.add(key);
    }
    firstRounds.putIfAbsent(key, round);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/services/work/events"))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "key-" + key)
            .header("Weir-Durability", key % 2 == 0 ? "process" : "machine")
            .POST(BodyPublishers.ofString(Integer.toString(round)))
            .build();
    return client
        .sendAsync(request, BodyHandlers.ofString())
        .handle(
            (response, failure) -> {
              if (failure == null) {
                answered(key, round, response);
              } else if (round == KILLS) {
                mistakes.add(failure.toString());
              }
              return null;
            });
  }

  private void answered(int key, int round, HttpResponse<String> response) {
    boolean added =
        response.statusCode() == 202 && response.body().equals("{\"id\":\"key-" + key + "\"}");
    // The message was added with the body of an earlier round, and is known still.
    boolean addedBefore =
        response.statusCode() == 422
            && response.body().contains("key-reused")
            && firstRounds.get(key) < round;
    if (added || addedBefore) {
      accepted.add(key);
      unanswered.remove(key);
    } else {
      mistakes.add(response.statusCode() + " " + response.body());
    }
  }
}
