package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A JVM of our own, with the class path of this one, whose lines are read until it ends. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final Set<String> marks = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<String> first = new CompletableFuture<>();
  private final CompletableFuture<Void> end;

  private ChildJvm(Process process) {
    this.process = process;
    this.end = CompletableFuture.runAsync(this::read, task -> new Thread(task, "child").start());
  }

  public static ChildJvm start(Class<?> main, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(args));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private void read() {
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        if (!line.isEmpty() && !Character.isDigit(line.charAt(line.length() - 1))) {
          marks.add(line);
        }
        first.complete(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      first.complete(null);
    }
  }

  /** Waits for it; null if there is none. */
  String firstLine() {
    Await.until("the child says something", first::isDone);
    return first.join();
  }

  /** Waits for a line, which must not end with a digit; false if the child ended without it. */
  public boolean await(String line) {
    Await.until("the child says " + line, () -> marks.contains(line) || end.isDone());
    return marks.contains(line);
  }

  public long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGKILL; unlike {@link Process#destroyForcibly}, it leaves to be read what was said before. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  /** All it said, once it has ended; the last line may be cut off. */
  List<String> lines() {
    Await.until("the child ends", () -> !process.isAlive() && end.isDone());
    end.join();
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    kill();
    assertThat(lines()).isNotNull();
  }
}
