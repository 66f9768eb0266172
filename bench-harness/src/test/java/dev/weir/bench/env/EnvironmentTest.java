package dev.weir.bench.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.env.Environment.Collector;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
  @TempDir private Path directory;

  @Test
  void describesThisJvmEvenWithoutGit() {
    Environment environment = Environment.capture(directory, Map.of("vertx", "5"));
    assertThat(environment.gitCommit()).isEqualTo("unknown");
    assertThat(environment.cpus()).isPositive();
    assertThat(environment.maxHeapBytes()).isPositive();
    assertThat(environment.gc()).isNotBlank();
    assertThat(environment.versions()).isEqualTo(Map.of("vertx", "5"));
  }

  @Test
  void keepsSystemPropertiesToItself() {
    assertThat(Environment.withoutProperties(List.of("-Xmx1g", "-Dpassword=x", "--add-opens=a")))
        .containsExactly("-Xmx1g", "--add-opens=a");
  }

  @Test
  void namesTheCollectorByItsFlag() {
    assertThat(Collector.nameOf(List.of("G1 Young Generation", "G1 Old Generation")))
        .isEqualTo("G1");
    assertThat(Collector.nameOf(List.of("PS MarkSweep", "PS Scavenge"))).isEqualTo("Parallel");
    assertThat(Collector.nameOf(List.of("Copy", "MarkSweepCompact"))).isEqualTo("Serial");
    assertThat(Collector.nameOf(List.of("ZGC Minor Cycles", "ZGC Minor Pauses"))).isEqualTo("ZGC");
    assertThat(Collector.nameOf(List.of("New One", "Other"))).isEqualTo("New One, Other");
  }

  @Test
  void readsTheCpuModelWhereThereIsOne() throws IOException {
    Path cpuinfo = directory.resolve("cpuinfo");
    Files.writeString(cpuinfo, "processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\n");
    assertThat(Environment.readCpuModel(cpuinfo)).isEqualTo("Some CPU @ 3 GHz");
    assertThat(Environment.readCpuModel(directory.resolve("absent"))).isEqualTo("unknown");
  }

  private static Environment on(String cpuModel) {
    return new Environment(
        "17", "Linux", 2, 1, "G1", "abc", Map.of(), cpuModel, 1, List.of(), "/dev/x");
  }

  @Test
  void theClassOfAMachineIsTheMakerOfItsCpuAndHowManyThereAre() {
    assertThat(on("Intel(R) Xeon(R) Processor").machineClass()).isEqualTo("intel-2");
    assertThat(on("AMD EPYC").machineClass()).isEqualTo("amd-2");
    assertThat(on("unknown").machineClass()).isEqualTo("cpu-2");
  }

  @Test
  void aDiskIsDescribedByItsMountAndItsWriteCache() throws IOException {
    Path real = directory.toRealPath();
    Path mounts =
        Files.writeString(
            directory.resolve("mounts"),
            "rootfs / rootfs rw\n/dev/vda1 " + real + " ext4 rw 0 0\nproc /proc proc rw\n");
    Path disk = Files.createDirectories(directory.resolve("block/vda/queue")).getParent();
    Files.writeString(disk.resolve("queue/write_cache"), "write back\n");
    Files.createDirectory(disk.resolve("vda1"));
    Path block = Files.createDirectory(directory.resolve("class"));
    Files.createSymbolicLink(block.resolve("vda1"), disk.resolve("vda1"));
    assertThat(Disk.describe(directory, mounts, block)).isEqualTo("/dev/vda1 ext4, write cache on");
    Files.writeString(disk.resolve("queue/write_cache"), "write through\n");
    assertThat(Disk.describe(directory, mounts, block)).endsWith(", write cache off");
    assertThat(Disk.describe(directory, directory.resolve("none"), block))
        .isEqualTo("unknown disk");
  }
}
