package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import picocli.CommandLine.Option;

/** The seed's options for CPU affinity and the message bus. */
public final class BusOptions {
  @Option(
      names = {"-j", "--injectorCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the thread that injects, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public String injectorCPUAffinityMask;

  @Option(
      names = {"-y", "--muxCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the processor's thread, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public String muxCPUAffinityMask;

  @Option(
      names = {"-o", "--busDetachedSendCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the detached sender, as a list ([1]: the second) or a mask (0x2: the second);"
              + " default: any.")
  public String busDetachedSendCPUAffinityMask;

  @Option(
      names = {"-u", "--busDetachedSend"},
      arity = "0..1",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Sends replies on a thread of their own; default: as --cpu-config says.")
  public Flag busDetachedSend;

  @Option(
      names = {"-n", "--busDetachedSendQueueDepth"},
      paramLabel = "N",
      defaultValue = "1024",
      description = "Replies that wait for a detached sender at most; default ${DEFAULT-VALUE}.")
  public int busDetachedSendQueueDepth;

  void check(Usage usage) {
    CpuMask.parse("--injectorCPUAffinityMask", injectorCPUAffinityMask, usage);
    CpuMask.parse("--muxCPUAffinityMask", muxCPUAffinityMask, usage);
    CpuMask.parse("--busDetachedSendCPUAffinityMask", busDetachedSendCPUAffinityMask, usage);
    usage.range("--busDetachedSendQueueDepth", busDetachedSendQueueDepth, 1, 1 << 20);
  }
}
