package dev.weir.bench;

import dev.weir.bench.program.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The JVM that a module measures in: one with the flags that Maven gives to its benchmark, which
 * the manifest of its jar names.
 */
final class ModuleJvm {
  /** The attribute of the manifest. */
  static final String FLAGS = "Jvm-Flags";

  /** What the flags begin with that change a speed. */
  private static final String OWN = "-X";

  private static final Duration MOST = Duration.ofHours(24);

  private final Path jar;
  private final List<String> flags;

  private ModuleJvm(Path jar, List<String> flags) {
    this.jar = jar;
    this.flags = flags;
  }

  /** The JVM of the module whose code is here: a jar, or a directory, which names no flags. */
  static ModuleJvm of(Path code) throws IOException {
    if (!Files.isRegularFile(code)) {
      return new ModuleJvm(code, List.of());
    }
    try (JarFile file = new JarFile(code.toFile())) {
      Manifest manifest = file.getManifest();
      String named = manifest == null ? null : manifest.getMainAttributes().getValue(FLAGS);
      return new ModuleJvm(
          code,
          named == null || named.isBlank() ? List.of() : List.of(named.strip().split("\\s+")));
    }
  }

  /** Whether this JVM has neither the flags of the module nor any of the user. */
  boolean isMissing() {
    return isMissing(ManagementFactory.getRuntimeMXBean().getInputArguments());
  }

  boolean isMissing(List<String> own) {
    return !flags.isEmpty() && own.stream().noneMatch(flag -> flag.startsWith(OWN));
  }

  /** Runs the jar with its flags and these arguments, blocking the caller; the exit code. */
  int run(List<String> arguments, PrintStream out) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(flags);
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.startsWith(OWN))
        .forEach(all::add);
    all.addAll(List.of("-jar", jar.toString()));
    all.addAll(arguments);
    out.println("In a JVM with " + String.join(" ", flags) + ":");
    try (ChildJvm child = ChildJvm.startWith(all, out::println)) {
      return child.await(MOST).exitCode();
    }
  }
}
