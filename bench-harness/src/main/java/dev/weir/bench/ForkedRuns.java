package dev.weir.bench;

import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.report.ResultFiles;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs scenarios again in further JVMs with the flags of this one, one after another. If this JVM
 * was started from a jar, so are the others: its manifest opens packages that libraries need.
 */
final class ForkedRuns {
  /** The option that tells a further JVM its number. */
  static final String JVM = "--jvm";

  private static final Duration MOST = Duration.ofHours(8);

  private final Class<?> main;
  private final PrintStream out;

  /** Runs this main class, and prints what it prints. */
  ForkedRuns(Class<?> main, PrintStream out) {
    this.main = main;
    this.out = out;
  }

  /**
   * Runs one JVM more, blocking the caller.
   *
   * @param number of the JVM, from 2 on
   * @param forks how many JVMs share the rounds
   * @param arguments of the command line, but for the directory
   * @return the result file
   */
  Path run(int number, int forks, List<String> arguments, Path outputDir)
      throws IOException, InterruptedException {
    Path directory = outputDir.resolve("jvm-" + number);
    List<String> all = new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    all.addAll(program(CodeLocation.of(main), ChildJvm.ownClassPath(), main.getName()));
    all.addAll(arguments);
    all.addAll(List.of("--no-publish", "--forks", Integer.toString(forks)));
    all.addAll(List.of(JVM, Integer.toString(number), "--out", directory.toString()));
    out.println("JVM " + number + ":");
    try (ChildJvm child = ChildJvm.startWith(all, out::println)) {
      ChildJvm.Outcome outcome = child.await(MOST);
      if (outcome.timedOut() || outcome.exitCode() > ExitCodes.VERDICT_FAILED) {
        throw new IOException(outcome.describe());
      }
    }
    return directory.resolve(ResultFiles.JSON);
  }

  /**
   * The arguments of the java command that start the main class again.
   *
   * @param code the jar or directory that has the class
   * @param classPath of this JVM
   */
  static List<String> program(Path code, String classPath, String main) throws IOException {
    boolean isJar =
        Files.isRegularFile(code)
            && !classPath.contains(File.pathSeparator)
            && Files.isSameFile(code, Path.of(classPath));
    return isJar ? List.of("-jar", classPath) : List.of("-cp", classPath, main);
  }
}
