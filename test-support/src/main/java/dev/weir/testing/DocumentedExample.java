package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A class of a module's tests that a page of the documentation shows as an example. The module is
 * two directories below the root, and its directory is the working directory.
 */
public final class DocumentedExample {
  private final Class<?> main;
  private final Path page;

  /**
   * @param page the page's path from the root of the project
   */
  public DocumentedExample(Class<?> main, String page) {
    this.main = main;
    this.page = Path.of("..", "..").resolve(page);
  }

  /** Fails unless the page shows the source of the class, without its package. */
  public void assertShown() throws IOException {
    Path file = Path.of("src/test/java", main.getName().replace('.', '/') + ".java");
    String header = "package " + main.getPackageName() + ";\n\n";
    String source = Files.readString(file).replace(header, "");
    if (!Files.readString(page).contains("```java\n" + source + "```")) {
      throw new AssertionError(page + " does not show " + file);
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
