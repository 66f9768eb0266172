package dev.weir.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The classes of an earlier commit of this repository, with the libraries of today: what a member
 * ran before it was upgraded. No release has been made whose jar could be kept.
 */
final class EarlierBuild {
  private static final List<String> MODULES = List.of("options", "queue", "cluster");
  private static final String SOURCES = "services/%s/src/main/java";

  private EarlierBuild() {}

  /**
   * Compiles what a class of the tests needs of a commit, and the class itself.
   *
   * @param main compiled from the sources of today
   * @param directory to work in, created
   * @return the class path of a JVM that runs the class; the test is skipped if the clone has no
   *     such commit
   */
  static String classPath(String commit, Class<?> main, Path directory) throws IOException {
    Path archive = Files.createDirectories(directory).resolve("sources.zip");
    List<String> archives = new ArrayList<>(List.of("archive", "--format=zip", "-o" + archive));
    archives.add(commit);
    MODULES.forEach(module -> archives.add(SOURCES.formatted(module)));
    Path root = Path.of("../..").toAbsolutePath().normalize();
    assumeTrue(
        git(root, List.of("cat-file", "-e", commit + "^{commit}")).isEmpty(),
        "this clone has no commit " + commit);
    assertThat(git(root, archives)).isEmpty();
    Path sources = directory.resolve("sources");
    unpack(archive, sources);
    return compile(main, sources, Files.createDirectories(directory.resolve("classes")));
  }

  /** Runs git, and returns what it wrote if it failed; nothing if it did not. */
  private static String git(Path root, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // The checkout may belong to another user.
    builder.environment().put("GIT_CONFIG_COUNT", "1");
    builder.environment().put("GIT_CONFIG_KEY_0", "safe.directory");
    builder.environment().put("GIT_CONFIG_VALUE_0", "*");
    try {
      Process process = builder.start();
      String output;
      try (InputStream in = process.getInputStream()) {
        output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
      return process.waitFor() == 0 ? "" : "git fails: " + output;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (IOException e) {
      return "git does not run: " + e.getMessage();
    }
  }

  private static void unpack(Path archive, Path to) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = to.resolve(entry.getName());
        if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          Files.copy(in, file);
        }
      }
    }
  }

  private static String compile(Class<?> main, Path sources, Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this JVM has no compiler");
    String libraries = System.getProperty("java.class.path");
    String sourcePath =
        MODULES.stream()
            .map(module -> sources.resolve(SOURCES.formatted(module)).toString())
            .collect(Collectors.joining(File.pathSeparator));
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            // The class path has the classes of today, too.
            "-Xprefer:source",
            "-implicit:class",
            "-d",
            classes.toString(),
            "-sourcepath",
            sourcePath,
            "-classpath",
            libraries);
    Path source = Path.of("src/test/java", main.getName().replace('.', '/') + ".java");
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(problems, null, null)) {
      boolean done =
          compiler
              .getTask(null, files, problems, options, null, files.getJavaFileObjects(source))
              .call();
      assertThat(done).as(problems.getDiagnostics().toString()).isTrue();
    }
    return Stream.of(classes.toString(), libraries).collect(Collectors.joining(File.pathSeparator));
  }
}
