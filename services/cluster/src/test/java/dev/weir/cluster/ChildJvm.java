package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A JVM of our own, with the class path of this one, whose lines are read until it ends. */
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
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
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a line that begins so and returns the rest of it. */
  public String await(String start) {
    Await.until("the child says " + start, () -> rest(start) != null || end.isDone());
    assertThat(rest(start)).as("what the child says after " + start + ": " + lines).isNotNull();
    return rest(start);
  }

  private String rest(String start) {
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()))
        .findFirst()
        .orElse(null);
  }

  /** Sends a signal, as {@code kill -name}. */
  public void signal(String name) throws IOException {
    Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
    Await.until("the signal is sent", () -> !kill.isAlive());
    assertThat(kill.exitValue()).as("result of kill -" + name).isZero();
  }

  /** All it said so far; the last line may be cut off. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    Await.until("the child ends", () -> !process.isAlive() && end.isDone());
  }
}
