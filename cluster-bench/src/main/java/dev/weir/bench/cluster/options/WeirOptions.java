package dev.weir.bench.cluster.options;

import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.Replication;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the seed does not have. */
public final class WeirOptions {
  private static final int MAX_WINDOW = 16 << 10;

  @Option(
      names = "--with-backup",
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description =
          "Starts the backup itself, as a second process on this machine, and ends it with the run;"
              + " implies --enableClustering.")
  public Flag withBackup;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      defaultValue = "tcp",
      description =
          "tcp: a connection between each two members; hazelcast: through the Hazelcast members;"
              + " default ${DEFAULT-VALUE}.")
  public String transport;

  @Option(
      names = "--ack-level",
      paramLabel = "LEVEL",
      description =
          "What it means that a member holds a message: received (in memory), persisted (in the"
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
              + " --clusteringDetachedDispatch as the seed's configurations do; what is given"
              + " itself counts. Default ${DEFAULT-VALUE}. What a configuration means for the"
              + " threads depends on -Doptimizefor=latency (the default) or throughput too.")
  public String cpuConfig;

  @Option(
      names = "--blocking",
      arity = "0..1",
      defaultValue = "false",
      fallbackValue = "true",
      converter = Flag.Converter.class,
      paramLabel = "BOOLEAN",
      description = "No thread spins, whatever --cpu-config says.")
  public Flag blocking;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "4096",
      description =
          "Messages on their way at most with --rate -1, a power of two; default ${DEFAULT-VALUE}.")
  public int window;

  @Option(
      names = "--role",
      paramLabel = "NAME",
      defaultValue = "primary",
      description =
          "primary: injects and reports; backup: holds the same, until it is ended; default ${DEFAULT-VALUE}. Start the backup first, with the same options otherwise.")
  public String role;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of this member's Hazelcast; default 5701 for the primary, 5702 for the backup, any free one with --with-backup.")
  public Integer port;

  @Option(
      names = "--peer",
      paramLabel = "HOST:PORT",
      description =
          "The other member's Hazelcast; default 127.0.0.1 with the other's default port.")
  public String peer;

  @Option(
      names = "--child",
      hidden = true,
      paramLabel = "DIR",
      description = "Ends when the process that started it has, which deletes this log.")
  public Path child;

  public boolean isBackup() {
    return role.equals("backup");
  }

  void check(Usage usage) {
    usage.check(role.equals("primary") || isBackup(), "--role", role, "one of primary, backup");
    transport(usage);
    cpuConfig(usage);
    usage.check(
        window >= 1 && window <= MAX_WINDOW && Integer.bitCount(window) == 1,
        "--window",
        window,
        "a power of two up to " + MAX_WINDOW);
  }

  public Replication transport(Usage usage) {
    return Names.parse(Replication.class, "--transport", transport, usage);
  }

  CpuConfig cpuConfig(Usage usage) {
    return Names.parse(CpuConfig.class, "--cpu-config", cpuConfig, usage);
  }
}
