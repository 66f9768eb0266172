package dev.weir.bench.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A main class in a child JVM, with the class path of this JVM. The child ends at the latest with
 * {@link #close}, or with this JVM unless that is killed. Its standard input is a pipe that ends
 * with this JVM.
 */
public final class ChildJvm implements AutoCloseable {
  private static final int KEPT_LINES = 20;
  private static final String WORD_END = " ";
  private static final String SIGNAL = "[A-Z]+";

  private final Process process;
  private final Consumer<String> onLine;
  private final Thread killer;
  private final Thread reader;
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final Map<String, String> words = new HashMap<>();
  private final CompletableFuture<Void> output = new CompletableFuture<>();
  private boolean ended;

  /**
   * How a child ended.
   *
   * @param exitCode its exit code; that of a killed process if it took too long
   * @param timedOut whether it was killed because it took too long
   * @param lastLines the end of its output, errors included
   */
  public record Outcome(int exitCode, boolean timedOut, List<String> lastLines) {

    /** What follows the word at the beginning of a line. */
    public Optional<String> line(String word) {
      return lastLines.stream()
          .filter(line -> line.startsWith(word + WORD_END))
          .map(line -> line.substring(word.length() + WORD_END.length()))
          .findFirst();
    }

    /** One line for a message. */
    public String describe() {
      return "the child JVM "
          + (timedOut ? "took too long and was killed" : "ended with exit code " + exitCode)
          + "; last output: "
          + String.join(" | ", lastLines);
    }
  }

  private ChildJvm(Process process, Consumer<String> onLine) {
    this.process = process;
    this.onLine = onLine;
    this.killer = new Thread(process::destroyForcibly, "bench-child-killer");
    this.reader = new Thread(this::read, "bench-child-output");
    reader.setDaemon(true);
  }

  /**
   * Starts the class.
   *
   * @param flags of the JVM
   */
  public static ChildJvm start(List<String> flags, Class<?> main, List<String> arguments)
      throws IOException {
    return start(List.of(), flags, main, arguments, line -> {});
  }

  /**
   * Starts the class by another command, and passes its output on.
   *
   * @param launcher command that becomes the one given to it as arguments; empty for none
   * @param flags of the JVM
   * @param onLine receives each line, errors included, on a thread of its own
   */
  public static ChildJvm start(
      List<String> launcher,
      List<String> flags,
      Class<?> main,
      List<String> arguments,
      Consumer<String> onLine)
      throws IOException {
    return start(launcher, flags, ownClassPath(), main, arguments, onLine);
  }

  /**
   * The same with another class path than that of this JVM.
   *
   * @param classPath as {@code java -cp} takes it; the child may get the class from another build
   */
  public static ChildJvm start(
      List<String> launcher,
      List<String> flags,
      String classPath,
      Class<?> main,
      List<String> arguments,
      Consumer<String> onLine)
      throws IOException {
    List<String> all = new ArrayList<>(flags);
    all.addAll(List.of("-cp", classPath, main.getName()));
    all.addAll(arguments);
    return start(launcher, all, onLine);
  }

  /** The class path of this JVM. */
  public static String ownClassPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * Starts what the java command makes of its arguments, and passes its output on.
   *
   * @param onLine as for {@link #start(List, List, Class, List, Consumer)}
   */
  public static ChildJvm startWith(List<String> arguments, Consumer<String> onLine)
      throws IOException {
    return start(List.of(), arguments, onLine);
  }

  private static ChildJvm start(
      List<String> launcher, List<String> arguments, Consumer<String> onLine) throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    ChildJvm child =
        new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start(), onLine);
    Runtime.getRuntime().addShutdownHook(child.killer);
    child.reader.start();
    return child;
  }

  /** Runs the class, blocking the caller; the child never outlives the call. */
  public static Outcome run(
      List<String> flags, Class<?> main, List<String> arguments, Duration timeout)
      throws IOException, InterruptedException {
    try (ChildJvm child = start(flags, main, arguments)) {
      child.process.getOutputStream().close();
      return child.await(timeout);
    }
  }

  /** Waits for the end of the child, and kills it if that takes too long. */
  public Outcome await(Duration timeout) throws InterruptedException {
    boolean inTime = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    process.destroyForcibly();
    int exitCode = process.waitFor();
    reader.join();
    return new Outcome(exitCode, !inTime, lastLines());
  }

  /**
   * Completes when the child has ended, for any reason; on a thread of the JDK or of this class.
   */
  public CompletableFuture<Outcome> outcome() {
    return process
        .onExit()
        .thenCombine(output, (gone, end) -> new Outcome(gone.exitValue(), false, lastLines()));
  }

  /**
   * Waits for the first line that begins with the word.
   *
   * @param word of capital letters
   * @return what follows the word
   * @throws IOException if the child ends before, or it takes too long
   */
  public synchronized String awaitLine(String word, Duration timeout)
      throws IOException, InterruptedException {
    long endNs = System.nanoTime() + timeout.toNanos();
    while (!words.containsKey(word)) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (ended || leftMs <= 0) {
        throw new IOException(
            "no line "
                + word
                + (ended ? " until the end of the child JVM" : " in time")
                + "; last output: "
                + String.join(" | ", lastLines));
      }
      wait(leftMs);
    }
    return words.get(word);
  }

  /** Writes a line to the standard input of the child. */
  public void say(String line) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /**
   * Asks the child to end, by SIGTERM where there are signals; does not wait. Its standard input
   * stays open: {@link Process#destroy} closes it, and a child that watches it would end at once.
   */
  public void terminate() {
    process.toHandle().destroy();
  }

  /** The process id of the child. */
  public long pid() {
    return process.pid();
  }

  private synchronized List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        keep(line);
        onLine.accept(line);
      }
    } catch (IOException e) {
      keep("the output could not be read: " + e);
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
    output.complete(null);
  }

  private synchronized void keep(String line) {
    lastLines.add(line);
    if (lastLines.size() > KEPT_LINES) {
      lastLines.poll();
    }
    int wordEnd = (line + WORD_END).indexOf(WORD_END);
    String word = line.substring(0, wordEnd);
    if (word.matches(SIGNAL)) {
      words.putIfAbsent(word, line.substring(wordEnd).trim());
      notifyAll();
    }
  }

  /** Kills the child if it still runs, and waits for its end; blocks for a moment. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      // This JVM is ending; the killer runs.
    }
  }
}
