package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A file system of its own that can be really full; needs the right to mount one. */
final class SmallDisk {
  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  /** Skips the test where it is not permitted. */
  static SmallDisk mount(Path path, int mebibytes) throws Exception {
    Files.createDirectory(path);
    String size = "size=" + mebibytes + "m";
    boolean mounted = run("mount", "-t", "tmpfs", "-o", size, "weir-test", path.toString()) == 0;
    assumeTrue(mounted, "mounting a tmpfs is not permitted here");
    return new SmallDisk(path);
  }

  private static int run(String... command) throws Exception {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).as(command[0]).isTrue();
      return process.exitValue();
    } catch (IOException e) {
      // There is no such command.
      return -1;
    }
  }

  /** Takes all space that is left. */
  Path fillUp() throws IOException {
    Path foreign = path.resolve("foreign");
    byte[] block = new byte[64 << 10];
    try (OutputStream out = Files.newOutputStream(foreign)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      return foreign;
    }
  }

  void unmount() throws Exception {
    assertThat(run("umount", path.toString())).isZero();
  }
}
