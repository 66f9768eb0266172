package dev.weir.bench.eventbus;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, with the class path of this one. */
final class ChildJvm {
  private static final int KEPT_LINES = 20;
  private static final String WORD_END = " ";

  private ChildJvm() {}

  /**
   * How a child ended.
   *
   * @param exitCode its exit code; that of a killed process if it took too long
   * @param timedOut whether it was killed because it took too long
   * @param lastLines the end of its output, errors included
   */
  record Outcome(int exitCode, boolean timedOut, List<String> lastLines) {

    /** What follows the word at the beginning of a line. */
    Optional<String> line(String word) {
      return lastLines.stream()
          .filter(line -> line.startsWith(word + WORD_END))
          .map(line -> line.substring(word.length() + WORD_END.length()))
          .findFirst();
    }

    String describe() {
      return "the child JVM "
          + (timedOut ? "took too long and was killed" : "ended with exit code " + exitCode)
          + "; last output: "
          + String.join(" | ", lastLines);
    }
  }

  /** Runs the class, blocking the caller; the child never outlives the call. */
  static Outcome run(List<String> flags, Class<?> main, List<String> arguments, Duration timeout)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      Deque<String> lines = new ArrayDeque<>();
      Thread reader = new Thread(() -> read(process, lines), "bench-child-output");
      reader.setDaemon(true);
      reader.start();
      boolean inTime = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
      process.destroyForcibly();
      int exitCode = process.waitFor();
      reader.join();
      return new Outcome(exitCode, !inTime, List.copyOf(lines));
    } finally {
      process.destroyForcibly();
    }
  }

  private static void read(Process process, Deque<String> lines) {
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (lines.size() > KEPT_LINES) {
          lines.poll();
        }
      }
    } catch (IOException e) {
      lines.add("the output could not be read: " + e);
    }
  }
}
