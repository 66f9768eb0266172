package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts echo as a process of its own, from the class path of the test or from the jar. */
final class EchoProcess {
  private static final Pattern READY = Pattern.compile("echo: ready at https?://[^:]+:(\\d+)/");

  private static final Pattern MANAGEMENT =
      Pattern.compile("echo: management at https?://[^:]+:(\\d+)/");

  private EchoProcess() {}

  static ChildJvm start(String... args) {
    return start(Map.of(), List.of(), args);
  }

  /** With these variables, and these options of the JVM. */
  static ChildJvm start(Map<String, String> variables, List<String> jvm, String... args) {
    return ChildJvm.of(EchoMain.class)
        .flags("-Xmx256m")
        .flags(jvm.toArray(String[]::new))
        .environment(variables)
        .mergeErrors()
        .start(args);
  }

  /** From the jar as users start it. */
  static ChildJvm startJar(String... args) {
    return ChildJvm.ofJar(jar()).mergeErrors().start(args);
  }

  static Path jar() {
    return Path.of(System.getProperty("weir.echo.jar"));
  }

  /** What echo has said, but for the warnings of Vert.x that the machine stood still. */
  static List<String> lines(ChildJvm echo) {
    List<String> lines = new ArrayList<>();
    boolean warning = false;
    for (String line : echo.lines()) {
      boolean stack =
          line.isEmpty()
              || line.startsWith("\tat ")
              || line.startsWith("io.vertx.core.VertxException");
      warning = line.contains("BlockedThreadChecker") || warning && stack;
      if (!warning) {
        lines.add(line);
      }
    }
    return lines;
  }

  /** Waits until the process is ready and returns its port. */
  static int port(ChildJvm echo) {
    return port(echo, READY);
  }

  /** The same for the port of health, metrics and administration. */
  static int managementPort(ChildJvm echo) {
    return port(echo, MANAGEMENT);
  }

  private static int port(ChildJvm echo, Pattern said) {
    String line = echo.awaitLine("line that names a port", each -> said.matcher(each).matches());
    assertThat(line).as("%s among %s", said, echo.lines()).isNotNull();
    Matcher matcher = said.matcher(line);
    assertThat(matcher.matches()).isTrue();
    return Integer.parseInt(matcher.group(1));
  }
}
