package dev.weir.bench.cluster.options;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.Names;
import dev.weir.bench.cluster.processor.GroupSetup;
import dev.weir.bench.cluster.processor.NodeAddress;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.cluster.threads.ThreadPreset;
import dev.weir.bench.cluster.threads.ThreadPreset.Detached;
import dev.weir.bench.cluster.threads.ThreadRequest;
import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/**
 * The command line of a processor program. Names, short names, defaults and meaning are those of
 * the original benchmark, except for {@link WeirOptions}.
 */
public final class ProcessorOptions {
  @Mixin public GeneralOptions general = new GeneralOptions();
  @Mixin public OutputOptions output = new OutputOptions();
  @Mixin public BusOptions bus = new BusOptions();
  @Mixin public PersistenceOptions persistence = new PersistenceOptions();
  @Mixin public ClusteringOptions clustering = new ClusteringOptions();
  @Mixin public WeirOptions weir = new WeirOptions();

  /**
   * The processor that these options describe.
   *
   * @param usage refuses what is not allowed, with the line that ends the program
   */
  public ProcessorSetup setup(Kind kind, Usage usage) {
    general.check(usage);
    output.check(usage);
    bus.check(usage);
    persistence.check(usage);
    clustering.check(usage);
    weir.check(usage);
    try {
      Replication replication = Names.parse(Replication.class, "--transport", weir.transport);
      return new ProcessorSetup(
          new GroupSetup(
              kind,
              general.encoding,
              replication,
              persistence.enablePersistence.on(),
              ackLevel(usage),
              bus.busDetachedSendQueueDepth),
          backup(),
          threads(replication),
          persistence.persisterLogLocation,
          NodeAddress.of(weir.isBackup(), clustering.host(), weir.port, weir.peer));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(usage.line(), e.getMessage(), e);
    }
  }

  private AckLevel ackLevel(Usage usage) {
    boolean persistent = persistence.enablePersistence.on();
    if (weir.ackLevel == null) {
      boolean flush = persistent && persistence.persisterFlushOnCommit.on();
      return flush ? AckLevel.PERSISTED : AckLevel.RECEIVED;
    }
    AckLevel level = Names.parse(AckLevel.class, "--ack-level", weir.ackLevel);
    usage.check(
        persistent || level == AckLevel.RECEIVED,
        "--ack-level",
        weir.ackLevel,
        "received without --enablePersistence");
    return level;
  }

  private Backup backup() {
    if (weir.withBackup.on()) {
      return Backup.CHILD;
    }
    return clustering.enableClustering.on() ? Backup.ELSEWHERE : Backup.NONE;
  }

  private ThreadPlan threads(Replication replication) {
    OptimizeFor optimize = OptimizeFor.ofSystem();
    CpuConfig config = Names.parse(CpuConfig.class, "--cpu-config", weir.cpuConfig);
    return new ThreadRequest(
            optimize,
            given(config.preset(optimize)),
            backup() == Backup.NONE ? null : replication,
            persistence.enablePersistence.on(),
            backup() == Backup.CHILD,
            masks())
        .onThisMachine(weir.blocking.on());
  }

  /** The preset, replaced by those options that were given themselves. */
  private ThreadPreset given(ThreadPreset preset) {
    return new ThreadPreset(
        orPreset(clustering.clusteringLinkSpinRead, preset.linkSpinRead()),
        orPreset(bus.busDetachedSend, preset.replies()),
        orPreset(persistence.persisterDetached, preset.persister()),
        orPreset(clustering.clusteringDetachedSend, preset.detachedSend()),
        orPreset(clustering.clusteringDetachedDispatch, preset.detachedDispatch()));
  }

  private static boolean orPreset(Flag given, boolean preset) {
    return given == null ? preset : given.on();
  }

  private static Detached orPreset(Flag given, Detached preset) {
    return given == null ? preset : Detached.of(given.on());
  }

  private Map<Task, CpuMask> masks() {
    return Map.of(
        Task.INJECTOR, bus.injectorCPUAffinityMask,
        Task.MUX, bus.muxCPUAffinityMask,
        Task.BUS_SENDER, bus.busDetachedSendCPUAffinityMask,
        Task.PERSISTER, persistence.persisterWriterCPUAffinityMask,
        Task.LINK_READER, clustering.clusteringLinkReaderCPUAffinityMask,
        Task.REPLICATION_SENDER, clustering.clusteringDetachedSenderCPUAffinityMask,
        Task.DISPATCHER, clustering.clusteringDetachedDispatcherCPUAffinityMask);
  }
}
