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
              + " given itself overrides the preset.")
  public String cpuConfig;

  @Option(
      names = "--optimize-for",
      paramLabel = "NAME",
      defaultValue = "${sys:nv.optimizefor:-latency}",
      description =
          "As -Dnv.optimizefor of the JVM. latency: a thread of its own makes the messages, and a"
              + " message does not wait for the batch before it; throughput: large batches gather,"
              + " and with --cpu-config default a thread gives out replies if a CPU is left for"
              + " it.")
  public String optimizeFor;

  @Option(
      names = "--optimize-memory",
      defaultValue = "${sys:nv.optimizeMemoryUsage:-false}",
      description =
          "As -Dnv.optimizeMemoryUsage of the JVM. Keeps less in memory, whatever --optimize-for"
              + " says: 1,024 replies instead of 16,384, so as many requests without a reply at"
              + " most, and batches of 16 KiB.")
  public Flag optimizeMemory;

  @Option(
      names = "--blocking",
      defaultValue = "${sys:nv.conservecpu:-false}",
      description =
          "As -Dnv.conservecpu of the JVM. Lets no thread spin, whatever --cpu-config says, so that"
              + " an idle processor uses no CPU.")
  public Flag blocking;

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
