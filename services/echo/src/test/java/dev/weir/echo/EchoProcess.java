package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Echo as a process of its own, from the class path of the test. */
final class EchoProcess implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("echo: ready at http://[^:]+:(\\d+)/");
  private static final long PATIENCE_S = 120;

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private EchoProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "echo-output");
    reader.start();
  }

  static EchoProcess start(String... args) {
    return start(Map.of(), List.of(), args);
  }

  /** With these variables, and these options of the JVM. */
  static EchoProcess start(Map<String, String> variables, List<String> jvm, String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(EchoMain.class.getName());
    command.addAll(List.of(args));
    return run(variables, command);
  }

  static EchoProcess run(Map<String, String> variables, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    try {
      return new EchoProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it is ready. */
  int port() throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (System.nanoTime() - endNs < 0) {
      for (String line : lines) {
        Matcher ready = READY.matcher(line);
        if (ready.matches()) {
          return Integer.parseInt(ready.group(1));
        }
      }
      assertThat(process.isAlive()).as("alive, it said %s", lines).isTrue();
      TimeUnit.MILLISECONDS.sleep(10);
    }
    throw new AssertionError("not ready in " + PATIENCE_S + " s, it said " + lines);
  }

  long pid() {
    return process.pid();
  }

  /** SIGTERM; leaves to be read what is said, unlike {@link Process#destroy}. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** SIGKILL. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for its end. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
        .as("it ended, said %s", lines)
        .isTrue();
    reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
    return process.exitValue();
  }

  /** What it has said so far, standard output and standard error. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    kill();
    try {
      exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
