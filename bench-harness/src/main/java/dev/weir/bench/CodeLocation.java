package dev.weir.bench;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Where a class was loaded from, so that a run finds its module from any working directory. */
final class CodeLocation {
  private static final String BUILD_DIR = "target";

  private CodeLocation() {}

  /** The jar or class directory, or the working directory if that is unknown. */
  static Path of(Class<?> type) {
    try {
      URI uri = type.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(uri).toAbsolutePath();
    } catch (URISyntaxException | RuntimeException e) {
      return Path.of("").toAbsolutePath();
    }
  }

  /** {@code target/bench} of the module the location was built in, else of the working dir. */
  static Path outputDir(Path location) {
    Path parent = location.getParent();
    boolean built = parent != null && parent.endsWith(BUILD_DIR);
    return (built ? parent : Path.of(BUILD_DIR).toAbsolutePath()).resolve("bench");
  }
}
