package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where no small disk can be mounted: on a build server nobody would see that a test is skipped.
 */
class SmallDiskTest {

  /** Says how a test ends that needs a small disk. */
  static final class Mount {
    private Mount() {}

    public static void main(String[] args) throws Exception {
      try {
        SmallDisk.mount(Path.of(args[0], "disk"), 1).unmount();
        System.out.println("mounted");
      } catch (RuntimeException | Error e) {
        System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"CI=true, AssertionError", "--unset=CI, TestAbortedException"})
  void aTestOfAFullDiskFailsOnABuildServerAndIsSkippedElsewhere(
      String variable, String end, @TempDir Path directory) {
    // Nothing is found without a path, so neither is the command that mounts.
    try (ChildJvm child =
        ChildJvm.of(Mount.class).launcher("env", variable, "PATH=").start(directory.toString())) {
      assertThat(child.firstLine()).startsWith(end + ": ");
    }
  }
}
