package dev.weir.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Regular files that this process has open, other than what it loads classes from. */
final class OpenFiles {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  private OpenFiles() {}

  /** A path for each descriptor; nothing where the system does not tell. */
  static List<String> now() {
    List<String> files = new ArrayList<>();
    if (Files.isDirectory(DESCRIPTORS)) {
      try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
        descriptors.forEach(descriptor -> add(descriptor, files));
      } catch (IOException e) {
        throw new AssertionError(DESCRIPTORS + " cannot be read", e);
      }
    }
    return files;
  }

  private static void add(Path descriptor, List<String> files) {
    try {
      Path file = Files.readSymbolicLink(descriptor);
      // Sockets, pipes and devices have no path of a file.
      if (file.isAbsolute() && !isSystem(file)) {
        files.add(file.toString());
      }
    } catch (IOException e) {
      // Closed meanwhile.
    }
  }

  private static boolean isSystem(Path file) {
    return file.startsWith("/dev")
        || file.startsWith("/proc")
        || file.startsWith("/sys")
        || file.startsWith(JDK)
        || file.toString().endsWith(".jar");
  }

  /** Those that are open and were not open then. */
  static List<String> since(List<String> then) {
    List<String> left = now();
    then.forEach(left::remove);
    return left;
  }
}
