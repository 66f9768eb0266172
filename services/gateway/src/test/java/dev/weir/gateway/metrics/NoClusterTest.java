package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.io.File;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NoClusterTest {
  @Test
  void whoHasNoGroupsAndNoDocumentsNeedsNeitherTheirModulesNorHazelcast() throws Exception {
    try (ChildJvm child =
        ChildJvm.of(NoClusterChild.class)
            .flags("-Xmx128m")
            .classPath(
                classPathWithout(
                    "services/cluster",
                    "weir-cluster",
                    "hazelcast",
                    "services/state",
                    "weir-state"))
            .mergeErrors()
            .start()) {
      String output = String.join("\n", child.allLines());
      assertThat(child.exitCode()).describedAs(output).isZero();
      assertThat(output)
          .contains("weir_service_workers{address=\"orders\"}")
          .doesNotContain("weir_group_");
    }
  }

  private static String classPathWithout(String... names) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Arrays.stream(names).noneMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
