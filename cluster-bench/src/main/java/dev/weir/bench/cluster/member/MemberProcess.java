package dev.weir.bench.cluster.member;

import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.program.ChildJvm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** A member in a child process. It may be killed and started again on its data. */
public final class MemberProcess implements AutoCloseable {
  private static final int HEAP_MIB = 256;
  private static final Duration STOP = Duration.ofSeconds(60);

  private final String name;
  private final List<String> launcher;
  private final Class<?> program;
  private final List<String> arguments;
  private final Path log;
  private final Collection<GroupEvents> events;
  private final BlockingQueue<Figures> figures = new LinkedBlockingQueue<>();
  private ChildJvm child;
  private String classPath = ChildJvm.ownClassPath();
  private List<String> moreFlags = List.of();

  /**
   * What the JVM of a member tells of itself.
   *
   * @param startedThreads since the process began
   * @param liveThreads now
   * @param compiledMs how long its JIT compilers have worked
   */
  public record Figures(long startedThreads, long liveThreads, long compiledMs) {
    /** Reads the line that a member prints; empty for any other line. */
    static Optional<Figures> parse(String line) {
      String[] words = line.split(" ");
      return words.length == 4 && words[0].equals(MemberMain.FIGURES)
          ? Optional.of(
              new Figures(
                  Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])))
          : Optional.empty();
    }
  }

  /** Whether the current child was told to end; its end is then no event. */
  private AtomicBoolean endExpected;

  /**
   * @param launcher a command that starts the one behind it; empty for none
   * @param program main class
   * @param arguments as {@code processor.jar} takes them
   * @param log file for its output
   * @param events of each of its groups
   */
  MemberProcess(
      String name,
      List<String> launcher,
      Class<?> program,
      List<String> arguments,
      Path log,
      Collection<GroupEvents> events) {
    this.name = name;
    this.launcher = launcher;
    this.program = program;
    this.arguments = arguments;
    this.log = log;
    this.events = events;
  }

  public String name() {
    return name;
  }

  /** Takes the classes of later starts from here, as {@code java -cp} does. */
  public void useClassPath(String path) {
    classPath = path;
  }

  /** Gives the JVM of later starts these flags besides those of every member. */
  void useFlags(List<String> more) {
    moreFlags = more;
  }

  /**
   * Starts the process.
   *
   * @param changed arguments, each {@code --name=value}, in the place of those of the same names
   */
  public void start(String... changed) throws IOException {
    add("start " + name + (changed.length == 0 ? "" : " with " + String.join(" ", changed)));
    List<String> jvm = new ArrayList<>(flags());
    jvm.addAll(moreFlags);
    child = ChildJvm.start(launcher, jvm, classPath, program, with(changed), this::onLine);
    AtomicBoolean expected = new AtomicBoolean();
    endExpected = expected;
    child
        .outcome()
        .thenAccept(
            outcome -> {
              if (!expected.get()) {
                events.forEach(of -> of.onEnd(name, outcome.describe()));
              }
            });
  }

  private List<String> with(String... changed) {
    List<String> all = new ArrayList<>(arguments);
    for (String argument : changed) {
      String flag = argument.split("=")[0] + "=";
      all.removeIf(given -> given.startsWith(flag));
      all.add(argument);
    }
    return all;
  }

  private void add(String event) {
    events.forEach(of -> of.add(event));
  }

  private void onLine(String line) {
    Figures.parse(line).ifPresent(figures::add);
    events.forEach(of -> of.onLine(name, line));
    try (PrintWriter out =
        new PrintWriter(
            Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND))) {
      out.println(Instant.now() + " " + line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Asks the member for the figures of its JVM.
   *
   * @throws IOException if the member does not answer
   */
  public Figures figures() throws IOException, InterruptedException {
    child.say("figures?");
    Figures answer = figures.poll(STOP.toSeconds(), TimeUnit.SECONDS);
    if (answer == null) {
      throw new IOException("member " + name + " does not tell the figures of its JVM");
    }
    return answer;
  }

  /** Kills the process as kill -9 does. */
  public void kill() {
    add("kill " + name);
    endExpected.set(true);
    child.close();
  }

  /** Halts the process (SIGSTOP). */
  public void suspend() throws IOException, InterruptedException {
    add("stop " + name);
    signal("STOP");
  }

  /** Continues the halted process (SIGCONT). */
  public void resume() throws IOException, InterruptedException {
    add("continue " + name);
    signal("CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(child.pid())).start();
    if (!kill.waitFor(STOP.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("cannot send " + signal + " to member " + name);
    }
  }

  /**
   * Stops the member (SIGTERM) and waits for its end.
   *
   * @throws IOException if the process does not end in time, or with another exit code than 0
   */
  public void stop() throws IOException, InterruptedException {
    add("end " + name);
    endExpected.set(true);
    child.terminate();
    ChildJvm.Outcome outcome = child.await(STOP);
    child.close();
    if (outcome.timedOut() || outcome.exitCode() != 0) {
      throw new IOException("member " + name + " did not stop in order: " + outcome.describe());
    }
  }

  @Override
  public void close() {
    if (child != null) {
      endExpected.set(true);
      child.close();
    }
  }

  /** The JVM flags of every member. */
  public static List<String> flags() {
    return ChildFlags.of(HEAP_MIB);
  }
}
