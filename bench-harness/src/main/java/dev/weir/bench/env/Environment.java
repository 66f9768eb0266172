package dev.weir.bench.env;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The machine and the JVM of a run.
 *
 * @param gitCommit hash of the checked-out commit, or {@value GitCommit#UNKNOWN}
 * @param versions name and version of what is measured
 * @param jvmFlags flags of the JVM, without the caller's system properties
 * @param disk device, file system and write cache under the results
 */
public record Environment(
    String jdk,
    String os,
    int cpus,
    long maxHeapBytes,
    String gc,
    String gitCommit,
    Map<String, String> versions,
    String cpuModel,
    long memoryBytes,
    List<String> jvmFlags,
    String disk) {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /** Copies; versions are sorted by name. */
  public Environment {
    versions = new TreeMap<>(versions);
    jvmFlags = List.copyOf(jvmFlags);
  }

  /**
   * The environment of this JVM.
   *
   * @param insideCheckout a path in the git checkout that the code was built from
   */
  public static Environment capture(Path insideCheckout, Map<String, String> versions) {
    return new Environment(
        property("java.version") + " (" + property("java.vm.vendor") + ")",
        property("os.name") + " " + property("os.version") + " " + property("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory(),
        Collector.current(),
        GitCommit.of(insideCheckout),
        versions,
        readCpuModel(CPU_INFO),
        totalMemoryBytes(),
        withoutProperties(ManagementFactory.getRuntimeMXBean().getInputArguments()),
        Disk.describe(insideCheckout));
  }

  /**
   * Name of the kind of machine whose results may be compared: the maker of the CPU and the number
   * of CPUs, for example {@code intel-2}.
   */
  public String machineClass() {
    return maker(cpuModel) + "-" + cpus;
  }

  /** The maker of this machine's CPU as in {@link #machineClass}, {@code intel} for example. */
  public static String cpuMaker() {
    return maker(readCpuModel(CPU_INFO));
  }

  private static String maker(String cpuModel) {
    String model = cpuModel.toLowerCase(Locale.ROOT);
    return Stream.of("intel", "amd", "apple", "arm")
        .filter(model::contains)
        .findFirst()
        .orElse("cpu");
  }

  private static String property(String name) {
    return System.getProperty(name, "unknown");
  }

  static String readCpuModel(Path cpuinfo) {
    try (Stream<String> lines = Files.lines(cpuinfo)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException | RuntimeException e) {
      return "unknown";
    }
  }

  private static long totalMemoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
        ? os.getTotalMemorySize()
        : -1;
  }

  /** Leaves system properties out: they may hold secrets. */
  static List<String> withoutProperties(List<String> arguments) {
    return arguments.stream()
        .filter(flag -> flag.startsWith("-X") || flag.startsWith("--"))
        .toList();
  }

  /** The garbage collector by the name used in its flag, read from the running JVM. */
  static final class Collector {
    private static final Map<String, String> NAME_BY_BEAN_PREFIX =
        Map.of(
            "G1", "G1",
            "PS", "Parallel",
            "Copy", "Serial",
            "MarkSweep", "Serial",
            "ZGC", "ZGC",
            "Shenandoah", "Shenandoah",
            "Epsilon", "Epsilon");

    private Collector() {}

    static String current() {
      return nameOf(
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .map(GarbageCollectorMXBean::getName)
              .toList());
    }

    /** The bean names themselves when none is known. */
    static String nameOf(List<String> beans) {
      return NAME_BY_BEAN_PREFIX.entrySet().stream()
          .filter(entry -> beans.stream().anyMatch(bean -> bean.startsWith(entry.getKey())))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(String.join(", ", beans));
    }
  }
}
