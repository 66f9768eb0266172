package dev.weir.processor;

import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;

/** Starts the program as a process of its own, from the class path of the test or from the jar. */
final class MemberProcess {
  /** Half of the CPU time of a start, and a test does not run for long enough to earn it back. */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private MemberProcess() {}

  static ChildJvm start(String... args) {
    return startWith(List.of(), args);
  }

  /** The same with more flags of the JVM. */
  static ChildJvm startWith(List<String> flags, String... args) {
    return ChildJvm.of(ProcessorMain.class)
        .flags("-Xmx256m", QUICK_COMPILER, "-XX:+UseSerialGC")
        .flags("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED")
        .flags(flags.toArray(String[]::new))
        .mergeErrors()
        .start(args);
  }

  /** From the jar as users start it, without flags of the JVM. */
  static ChildJvm startJar(String... args) {
    Path jar = Path.of(System.getProperty("weir.processor.jar"));
    return ChildJvm.ofJar(jar).mergeErrors().start(args);
  }
}
