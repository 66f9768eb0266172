package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import picocli.CommandLine.Option;

/** The seed's options for clustering. */
public final class ClusteringOptions {
  @Option(
      names = {"-v", "--enableClustering"},
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Replicates to a backup.")
  public Flag enableClustering;

  @Option(
      names = {"-I", "--clusteringLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = "0.0.0.0",
      description =
          "Interface for replication; default ${DEFAULT-VALUE}. With --with-backup always"
              + " 127.0.0.1.")
  public String clusteringLocalIfAddr;

  @Option(
      names = {"-U", "--clusteringDiscoveryLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = "0.0.0.0",
      description =
          "Interface by which members find each other; default ${DEFAULT-VALUE}. With --with-backup"
              + " always 127.0.0.1.")
  public String clusteringDiscoveryLocalIfAddr;

  @Option(
      names = {"-W", "--clusteringLinkSpinRead"},
      arity = "0..1",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description =
          "Polls the replication link instead of waiting for it; default: as --cpu-config says.")
  public Flag clusteringLinkSpinRead;

  @Option(
      names = {"-V", "--clusteringLinkReaderCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the reader of the replication link, as a list ([1]: the second) or a mask (0x2:"
              + " the second); default: any.")
  public String clusteringLinkReaderCPUAffinityMask;

  @Option(
      names = {"-S", "--clusteringDetachedSend"},
      arity = "0..1",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "Sends replication on a thread of its own; default: as --cpu-config says.")
  public Flag clusteringDetachedSend;

  @Option(
      names = {"-A", "--clusteringDetachedSenderCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the detached sender of replication, as a list ([1]: the second) or a mask (0x2:"
              + " the second); default: any.")
  public String clusteringDetachedSenderCPUAffinityMask;

  @Option(
      names = {"-D", "--clusteringDetachedDispatch"},
      arity = "0..1",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description =
          "Handles what was replicated on a thread of its own; default: as --cpu-config says.")
  public Flag clusteringDetachedDispatch;

  @Option(
      names = {"-B", "--clusteringDetachedDispatcherCPUAffinityMask"},
      paramLabel = "MASK",
      description =
          "CPUs for the detached dispatcher, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public String clusteringDetachedDispatcherCPUAffinityMask;

  void check(Usage usage) {
    address("--clusteringLocalIfAddr", clusteringLocalIfAddr, usage);
    address("--clusteringDiscoveryLocalIfAddr", clusteringDiscoveryLocalIfAddr, usage);
    CpuMask.parse(
        "--clusteringLinkReaderCPUAffinityMask", clusteringLinkReaderCPUAffinityMask, usage);
    CpuMask.parse(
        "--clusteringDetachedSenderCPUAffinityMask",
        clusteringDetachedSenderCPUAffinityMask,
        usage);
    CpuMask.parse(
        "--clusteringDetachedDispatcherCPUAffinityMask",
        clusteringDetachedDispatcherCPUAffinityMask,
        usage);
  }

  private static void address(String option, String address, Usage usage) {
    boolean known = false;
    try {
      InetAddress local = InetAddress.getByName(address);
      known = local.isAnyLocalAddress() || NetworkInterface.getByInetAddress(local) != null;
    } catch (IOException e) {
      // Refused below.
    }
    usage.check(known, option, address, "0.0.0.0 or an address of this machine");
  }
}
