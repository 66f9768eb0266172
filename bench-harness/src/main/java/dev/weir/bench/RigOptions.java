package dev.weir.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link Rig} needs to know besides its scenarios.
 *
 * @param suite name of the module, in results and in the report
 * @param profile how long to run
 * @param outputDir where results go; created if absent
 * @param reportFile the BENCHMARK.txt to publish to, or empty to publish nothing
 * @param settings free values for scenarios
 * @param template what the module shows in the report, by line; may be empty
 * @param forks how many JVMs share the rounds of a scenario of page one, at least 1
 * @param jvm which of these JVMs this is, from 1 on
 */
public record RigOptions(
    String suite,
    Profile profile,
    Path outputDir,
    Optional<Path> reportFile,
    Map<String, String> settings,
    List<String> template,
    int forks,
    int jvm) {
  /** System property: {@code false} keeps a run from writing the report. Default true. */
  public static final String PUBLISH_PROPERTY = "bench.publish";

  /** System property: in how many JVMs the scenarios of page one are measured. Default 3. */
  public static final String FORKS_PROPERTY = "bench.forks";

  /** System property: the setting {@code scale}, unless the command line has another. */
  public static final String SCALE_PROPERTY = "bench.scale";

  /** Copies the settings and the template. */
  public RigOptions {
    Objects.requireNonNull(suite, "suite");
    Objects.requireNonNull(profile, "profile");
    Objects.requireNonNull(outputDir, "outputDir");
    Objects.requireNonNull(reportFile, "reportFile");
    settings = Map.copyOf(settings);
    template = List.copyOf(template);
  }

  /** No report, no settings, no template, one JVM. */
  public static RigOptions of(String suite, Profile profile, Path outputDir) {
    return new RigOptions(suite, profile, outputDir, Optional.empty(), Map.of(), List.of(), 1, 1);
  }

  /** The same, published to the file, or nowhere if null. */
  public RigOptions publishTo(Path file) {
    return new RigOptions(
        suite, profile, outputDir, Optional.ofNullable(file), settings, template, forks, jvm);
  }

  /** The same with free values for scenarios. */
  public RigOptions settings(Map<String, String> newSettings) {
    return new RigOptions(suite, profile, outputDir, reportFile, newSettings, template, forks, jvm);
  }

  /** The same with what the module shows in the report. */
  public RigOptions template(List<String> lines) {
    return new RigOptions(suite, profile, outputDir, reportFile, settings, lines, forks, jvm);
  }

  /** The same for one of so many JVMs. */
  public RigOptions jvm(int number, int count) {
    return new RigOptions(suite, profile, outputDir, reportFile, settings, template, count, number);
  }

  /** Whether {@value #PUBLISH_PROPERTY} allows publishing. */
  static boolean publishAllowed() {
    return !"false".equalsIgnoreCase(System.getProperty(PUBLISH_PROPERTY));
  }
}
