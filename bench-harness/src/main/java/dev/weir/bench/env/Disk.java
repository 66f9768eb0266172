package dev.weir.bench.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Describes the disk under a path as Linux knows it: device, file system, write cache. */
final class Disk {
  private static final String UNKNOWN = "unknown disk";
  private static final Path MOUNTS = Path.of("/proc/self/mounts");
  private static final Path BLOCK = Path.of("/sys/class/block");

  private Disk() {}

  /** For example {@code /dev/vda ext4, write cache on}. */
  static String describe(Path path) {
    return describe(path, MOUNTS, BLOCK);
  }

  static String describe(Path path, Path mounts, Path block) {
    try (Stream<String> lines = Files.lines(mounts)) {
      Path real = path.toRealPath();
      Optional<List<String>> mount =
          lines
              .map(line -> List.of(line.split(" ")))
              .filter(words -> words.size() > 2 && real.startsWith(words.get(1)))
              .max(Comparator.comparingInt(words -> words.get(1).length()));
      return mount
          .map(words -> words.get(0) + " " + words.get(2) + writeCache(words.get(0), block))
          .orElse(UNKNOWN);
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }

  private static String writeCache(String device, Path block) {
    try {
      Path of = block.resolve(device.substring(device.lastIndexOf('/') + 1)).toRealPath();
      Path cache = Path.of("queue", "write_cache");
      // A partition has no queue of its own.
      Path whole = Files.exists(of.resolve(cache)) ? of : of.getParent();
      boolean on = Files.readString(whole.resolve(cache)).strip().equals("write back");
      return ", write cache " + (on ? "on" : "off");
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }
}
