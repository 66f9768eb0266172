package dev.weir.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The program as a process of its own, from the class path of the test or from the jar. */
final class MemberProcess implements AutoCloseable {
  private static final long PATIENCE_S = 120;

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "member-output");

  private MemberProcess(Process process) {
    this.process = process;
    reader.start();
  }

  static MemberProcess start(String... args) throws IOException {
    return startWith(List.of(), args);
  }

  /** The same with more flags of the JVM. */
  static MemberProcess startWith(List<String> flags, String... args) throws IOException {
    List<String> command = new ArrayList<>(flags);
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(ProcessorMain.class.getName());
    return start(command, args);
  }

  /** From the jar as users start it, without flags of the JVM. */
  static MemberProcess startJar(String... args) throws IOException {
    return start(List.of("-jar", System.getProperty("weir.processor.jar")), args);
  }

  private static MemberProcess start(List<String> java, String... args) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(java);
    command.addAll(List.of(args));
    return new MemberProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      output.lines().forEach(lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a line with this in it. */
  void await(String part) throws InterruptedException {
    awaitOne(part, this);
  }

  /** Waits until one of them has said a line with this in it. */
  static void awaitOne(String part, MemberProcess... members) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (Arrays.stream(members).noneMatch(member -> member.hasSaid(part))) {
      for (MemberProcess member : members) {
        assertThat(member.process.isAlive()).as("alive, it said %s", member.lines).isTrue();
        assertThat(System.nanoTime() - endNs)
            .as("says %s, said %s", part, member.lines)
            .isNegative();
      }
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  boolean hasSaid(String part) {
    return lines.stream().anyMatch(line -> line.contains(part));
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.toHandle().destroyForcibly();
  }

  void terminate() {
    process.toHandle().destroy();
  }

  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).as("ended, said %s", lines).isTrue();
    reader.join();
    return process.exitValue();
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
