package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A class of a module's tests that the README shows as an example. The module is two directories
 * below the README, and its directory is the working directory.
 */
public final class ReadmeExample {
  private static final Path README = Path.of("..", "..", "README.md");

  private final Class<?> main;

  public ReadmeExample(Class<?> main) {
    this.main = main;
  }

  /** Fails unless the README shows the source of the class, without its package. */
  public void assertShown() throws IOException {
    Path file = Path.of("src/test/java", main.getName().replace('.', '/') + ".java");
    String header = "package " + main.getPackageName() + ";\n\n";
    String source = Files.readString(file).replace(header, "");
    if (!Files.readString(README).contains("```java\n" + source + "```")) {
      throw new AssertionError("README.md does not show " + file);
    }
  }

  /** Runs the class in a JVM of its own and returns its lines; fails unless it ends with 0. */
  public List<String> run(String... args) {
    try (ChildJvm child = ChildJvm.start(main, args)) {
      int exitCode = child.exitCode();
      if (exitCode != 0) {
        throw new AssertionError(main + " ended with exit code " + exitCode);
      }
      return child.lines();
    }
  }
}
