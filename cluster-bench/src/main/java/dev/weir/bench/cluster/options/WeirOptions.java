package dev.weir.bench.cluster.options;

import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import picocli.CommandLine.Option;

/** Options that the original benchmark does not have. */
public final class WeirOptions {
  private static final int MAX_WINDOW = 16 << 10;

  @Option(
      names = "--with-backup",
      description =
          "Starts the backup itself, as a second process on this machine, and ends it with the run."
              + " Implies --enableClustering.")
  public Flag withBackup = Flag.OFF;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "tcp",
      description =
          "What carries replication. tcp: a connection between the two members; hazelcast: the"
              + " Hazelcast members.")
  public String transport;

  @Option(
      names = "--ack-level",
      paramLabel = "LEVEL",
      description =
          "When a member counts as having a message: received (in memory), persisted (handed to the"
              + " operating system) or flushed (on the device); default: persisted with"
              + " --persisterFlushOnCommit, otherwise received.")
  public String ackLevel;

  @Option(
      names = "--cpu-config",
      paramLabel = "NAME",
      defaultValue = "default",
      description =
          "mincpu, default or maxcpu: presets --busDetachedSend, --persisterDetached,"
              + " --clusteringLinkSpinRead, --clusteringDetachedSend and"
              + " --clusteringDetachedDispatch as the original benchmark does. An option that is"
              + " given itself overrides the preset. The threads also depend on"
              + " -Doptimizefor=latency (the default) or throughput.")
  public String cpuConfig;

  @Option(names = "--blocking", description = "Lets no thread spin, whatever --cpu-config says.")
  public Flag blocking = Flag.OFF;

  @Option(
      names = "--window",
      defaultValue = "4096",
      description = "Most requests without a reply at any time with --rate -1, a power of two.")
  public int window;

  @Option(
      names = "--role",
      paramLabel = "NAME",
      defaultValue = "primary",
      description =
          "primary: injects messages and reports; backup: replicates until it is stopped. Start the"
              + " backup first, with otherwise the same options.")
  public String role;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of this member's Hazelcast; default 5701 for the primary, 5702 for the backup. With"
              + " --with-backup always a free port.")
  public Integer port;

  @Option(
      names = "--peer",
      paramLabel = "HOST:PORT",
      description =
          "Host and port of the other member's Hazelcast; default 127.0.0.1 and its default port.")
  public String peer;

  public boolean isBackup() {
    return role.equals("backup");
  }

  void check(Usage usage) {
    usage.check(role.equals("primary") || isBackup(), "--role", role, "one of primary, backup");
    usage.check(
        window >= 1 && window <= MAX_WINDOW && Integer.bitCount(window) == 1,
        "--window",
        window,
        "a power of two up to " + MAX_WINDOW);
  }
}
