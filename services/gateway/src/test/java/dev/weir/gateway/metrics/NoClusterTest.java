package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NoClusterTest {
  @Test
  void whoHasNoGroupsNeedsNeitherTheirModuleNorHazelcast() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                classPathWithout("services/cluster", "weir-cluster", "hazelcast"),
                NoClusterChild.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).describedAs(output).isZero();
    assertThat(output)
        .contains("weir_service_workers{address=\"orders\"}")
        .doesNotContain("weir_group_");
  }

  private static String classPathWithout(String... names) {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Arrays.stream(names).noneMatch(entry::contains))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
