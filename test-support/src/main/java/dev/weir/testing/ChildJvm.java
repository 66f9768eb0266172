package dev.weir.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A JVM that a test starts and that is killed at {@link #close}. A thread reads its lines until it
 * ends; all methods may be called from any thread. Every wait has a limit of {@link
 * Await#DEADLINE_S} seconds and fails with what the child has written.
 */
public final class ChildJvm implements AutoCloseable {
  /** Flags for a child that starts fast and leaves memory to others. */
  private static final String[] SMALL = {
    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"
  };

  private static final int SHOWN_LINES = 30;

  private final Process process;
  private final Thread reader = new Thread(this::read, "child-output");

  /** What the child has written; guarded by this list, whose monitor is notified at each line. */
  private final List<String> lines = new ArrayList<>();

  /** Whether the output has ended; guarded by the list. */
  private boolean ended;

  private ChildJvm(Process process) {
    this.process = process;
    reader.start();
  }

  /** Starts a main class with 128 MiB of heap; its error output goes to that of the test. */
  public static ChildJvm start(Class<?> main, String... args) {
    return of(main).flags("-Xmx128m").start(args);
  }

  /** A child that runs a main class, with the class path of this JVM and flags for a small one. */
  public static Builder of(Class<?> main) {
    return new Builder(main, null).flags(SMALL);
  }

  /** A child that runs an executable jar, without flags. */
  public static Builder ofJar(Path jar) {
    return new Builder(null, jar);
  }

  /** What a child is started with. */
  public static final class Builder {
    private final Class<?> main;
    private final Path jar;
    private final List<String> launcher = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private final ProcessBuilder process = new ProcessBuilder();
    private String classPath = System.getProperty("java.class.path");

    private Builder(Class<?> main, Path jar) {
      this.main = main;
      this.jar = jar;
      process.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Adds flags of the JVM. */
    public Builder flags(String... more) {
      flags.addAll(List.of(more));
      return this;
    }

    /** Starts the JVM by a program that gets the command as further arguments. */
    public Builder launcher(String... program) {
      launcher.addAll(List.of(program));
      return this;
    }

    /** Adds variables of the environment. */
    public Builder environment(Map<String, String> variables) {
      process.environment().putAll(variables);
      return this;
    }

    /** Replaces the class path. */
    public Builder classPath(String path) {
      classPath = path;
      return this;
    }

    /** Reads error output together with standard output. */
    public Builder mergeErrors() {
      process.redirectErrorStream(true);
      return this;
    }

    /** Writes error output to a file. */
    public Builder errorsTo(Path file) {
      process.redirectError(file.toFile());
      return this;
    }

    /** Starts the JVM with the arguments of its main method. */
    public ChildJvm start(String... args) {
      List<String> command = new ArrayList<>(launcher);
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(flags);
      command.addAll(
          jar != null
              ? List.of("-jar", jar.toString())
              : List.of("-cp", classPath, main.getName()));
      command.addAll(List.of(args));
      try {
        return new ChildJvm(process.command(command).start());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void read() {
    try (BufferedReader output = process.inputReader()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      synchronized (lines) {
        ended = true;
        lines.notifyAll();
      }
    }
  }

  /**
   * Waits for the first line that matches.
   *
   * @param what the line, for the message of a failure
   * @return the line, or null if the child ended without it
   */
  public String awaitLine(String what, Predicate<String> matching) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Await.DEADLINE_S);
    int next = 0;
    synchronized (lines) {
      while (true) {
        for (; next < lines.size(); next++) {
          if (matching.test(lines.get(next))) {
            return lines.get(next);
          }
        }
        if (ended) {
          return null;
        }
        waitForMore(what, deadlineNs);
      }
    }
  }

  private void waitForMore(String what, long deadlineNs) {
    long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    if (leftMs <= 0) {
      throw new AssertionError("no " + what + " in " + Await.DEADLINE_S + " s; " + describe());
    }
    try {
      lines.wait(leftMs);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while it waited for " + what, e);
    }
  }

  /** Waits for the first line; null if the child ends without one. */
  public String firstLine() {
    return awaitLine("line", line -> true);
  }

  /** Waits for exactly this line; false if the child ends without it. */
  public boolean says(String line) {
    return awaitLine("line " + line, line::equals) != null;
  }

  /**
   * Waits for a line that contains this.
   *
   * @return what follows the part in its line
   * @throws AssertionError if the child ends without such a line
   */
  public String await(String part) {
    String line = awaitLine("line with " + part, l -> l.contains(part));
    if (line == null) {
      throw new AssertionError("no line with " + part + "; " + describe());
    }
    return line.substring(line.indexOf(part) + part.length());
  }

  /** Whether the child has written a line that contains this. */
  public boolean hasSaid(String part) {
    return lines().stream().anyMatch(line -> line.contains(part));
  }

  /** What the child has written so far. */
  public List<String> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** Waits for the child's end and returns all it wrote; the last line may be cut off. */
  public List<String> allLines() {
    exitCode();
    return lines();
  }

  /** Waits for the child's end and returns its exit code. */
  public int exitCode() {
    Await.until(() -> "the child ends; " + describe(), () -> !process.isAlive());
    Await.until(() -> "the child's output ends; " + describe(), () -> !reader.isAlive());
    return process.exitValue();
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends SIGTERM. Unlike {@link Process#destroy} it leaves the output to be read. */
  public void terminate() {
    process.toHandle().destroy();
  }

  /** Sends SIGKILL. Unlike {@link Process#destroyForcibly} it leaves the output to be read. */
  public void kill() {
    process.toHandle().destroyForcibly();
  }

  /** Sends the signal of this name, such as STOP, and waits until it is sent. */
  public void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).start();
      Await.until("signal " + name + " is sent", () -> !kill.isAlive());
      if (kill.exitValue() != 0) {
        throw new AssertionError("kill -" + name + " ended with " + kill.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String describe() {
    List<String> all = lines();
    Stream<String> last = all.stream().skip(Math.max(0, all.size() - SHOWN_LINES));
    return "the child wrote "
        + all.size()
        + " lines, at last:\n"
        + String.join("\n", last.toList());
  }

  /** Kills the child if it runs and waits for its end. */
  @Override
  public void close() {
    kill();
    exitCode();
  }
}
