package dev.weir.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A small file system in memory, which a test can fill to the last byte. */
public final class SmallDisk {
  private static final int TIMEOUT_S = 60;

  private final Path path;

  private SmallDisk(Path path) {
    this.path = path;
  }

  /**
   * Mounts one at a new directory. Where that is not permitted the test is skipped, but on a build
   * server, which sets the variable {@code CI}, it fails: nobody would see there that it was not
   * run.
   */
  public static SmallDisk mount(Path path, int mebibytes) throws IOException {
    Files.createDirectory(path);
    String size = "size=" + mebibytes + "m";
    boolean mounted = run("mount", "-t", "tmpfs", "-o", size, "weir-test", path.toString());
    String missing = "a tmpfs cannot be mounted here; that takes Linux and root";
    if (!mounted && System.getenv("CI") != null) {
      throw new AssertionError(missing);
    }
    assumeTrue(mounted, missing);
    return new SmallDisk(path);
  }

  /** Returns false if the command fails or does not exist. */
  private static boolean run(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while it waited for " + command[0], e);
    }
  }

  /** Writes a file that takes all space that is left, and returns it. */
  public Path fillUp() throws IOException {
    return fillUp(0);
  }

  /** Writes a file that takes the space that is left but for some bytes, and returns it. */
  public Path fillUp(int freeBytes) throws IOException {
    Path foreign = path.resolve("foreign");
    Path kept = path.resolve("kept");
    Files.write(kept, new byte[freeBytes]);
    try (OutputStream out = Files.newOutputStream(foreign)) {
      for (int bytes = 1 << 20; bytes > 0; ) {
        try {
          out.write(new byte[bytes]);
        } catch (IOException full) {
          bytes /= 2;
        }
      }
    }
    Files.delete(kept);
    return foreign;
  }

  /** Lets nobody change it, or everybody again; no file on it may be open for writing. */
  public void readOnly(boolean value) {
    if (!run("mount", "-o", "remount," + (value ? "ro" : "rw"), path.toString())) {
      throw new AssertionError("cannot remount " + path);
    }
  }

  /** Unmounts it, also while a file on it is still open; it then ends with that file. */
  public void unmount() {
    if (!run("umount", path.toString()) && !run("umount", "-l", path.toString())) {
      throw new AssertionError("cannot unmount " + path);
    }
  }
}
