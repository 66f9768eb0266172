package dev.weir.bench.cluster.options;

import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import picocli.CommandLine.Option;

/** Options for clustering, named as in the original benchmark. */
public final class ClusteringOptions {
  private static final String ANY_INTERFACE = "0.0.0.0";
  private static final String LOOPBACK = "127.0.0.1";

  @Option(
      names = {"-v", "--enableClustering"},
      description = "Replicates to a backup.")
  public Flag enableClustering = Flag.OFF;

  @Option(
      names = {"-I", "--clusteringLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = ANY_INTERFACE,
      description =
          "Interface for replication; default ${DEFAULT-VALUE}. With --with-backup always"
              + " 127.0.0.1.")
  public String clusteringLocalIfAddr;

  @Option(
      names = {"-U", "--clusteringDiscoveryLocalIfAddr"},
      paramLabel = "ADDRESS",
      defaultValue = ANY_INTERFACE,
      description =
          "Interface by which members find each other; default ${DEFAULT-VALUE}. With --with-backup"
              + " always 127.0.0.1.")
  public String clusteringDiscoveryLocalIfAddr;

  @Option(
      names = {"-W", "--clusteringLinkSpinRead"},
      description =
          "Polls the replication link instead of waiting for it; default: as --cpu-config says.")
  public Flag clusteringLinkSpinRead;

  @Option(
      names = {"-V", "--clusteringLinkReaderCPUAffinityMask"},
      description =
          "CPUs for the reader of the replication link, as a list ([1]: the second) or a mask (0x2:"
              + " the second); default: any.")
  public CpuMask clusteringLinkReaderCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-S", "--clusteringDetachedSend"},
      description = "Sends replication on a thread of its own; default: as --cpu-config says.")
  public Flag clusteringDetachedSend;

  @Option(
      names = {"-A", "--clusteringDetachedSenderCPUAffinityMask"},
      description =
          "CPUs for the detached sender of replication, as a list ([1]: the second) or a mask (0x2:"
              + " the second); default: any.")
  public CpuMask clusteringDetachedSenderCPUAffinityMask = CpuMask.ANY;

  @Option(
      names = {"-D", "--clusteringDetachedDispatch"},
      description =
          "Handles replicated messages on a thread of its own; default: as --cpu-config says.")
  public Flag clusteringDetachedDispatch;

  @Option(
      names = {"-B", "--clusteringDetachedDispatcherCPUAffinityMask"},
      description =
          "CPUs for the detached dispatcher, as a list ([1]: the second) or a mask (0x2: the"
              + " second); default: any.")
  public CpuMask clusteringDetachedDispatcherCPUAffinityMask = CpuMask.ANY;

  /** The address on which Hazelcast listens. */
  String host() {
    return clusteringDiscoveryLocalIfAddr.equals(ANY_INTERFACE)
        ? LOOPBACK
        : clusteringDiscoveryLocalIfAddr;
  }

  void check(Usage usage) {
    address("--clusteringLocalIfAddr", clusteringLocalIfAddr, usage);
    address("--clusteringDiscoveryLocalIfAddr", clusteringDiscoveryLocalIfAddr, usage);
  }

  private static void address(String option, String address, Usage usage) {
    boolean known = false;
    try {
      InetAddress local = InetAddress.getByName(address);
      known = local.isAnyLocalAddress() || NetworkInterface.getByInetAddress(local) != null;
    } catch (IOException e) {
      // Refused below.
    }
    usage.check(known, option, address, ANY_INTERFACE + " or an address of this machine");
  }
}
