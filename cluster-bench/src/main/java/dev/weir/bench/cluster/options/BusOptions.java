package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import picocli.CommandLine.Option;

/** Options for CPU affinity and the message bus, named as in the original benchmark. */
public final class BusOptions {
  @Option(
      names = {"-j", "--injectorCPUAffinityMask"},
      description =
          "CPUs for the thread that injects, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public CpuMask injectorCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-y", "--muxCPUAffinityMask"},
      description =
          "CPUs for the processor's thread, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public CpuMask muxCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-o", "--busDetachedSendCPUAffinityMask"},
      description =
          "CPUs for the detached sender, as a list ([1]: the second) or a mask (0x2: the second);"
              + " default: any.")
  public CpuMask busDetachedSendCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-u", "--busDetachedSend"},
      description = "Sends replies on a thread of their own; default: as --cpu-config says.")
  public Flag busDetachedSend;

  @Option(
      names = {"-n", "--busDetachedSendQueueDepth"},
      paramLabel = "N",
      defaultValue = "1024",
      description = "Replies that wait for a detached sender at most; default ${DEFAULT-VALUE}.")
  public int busDetachedSendQueueDepth;

  void check(Usage usage) {
    usage.range("--busDetachedSendQueueDepth", busDetachedSendQueueDepth, 1, 1 << 20);
  }
}
