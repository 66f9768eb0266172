package dev.weir.bench.cluster.options;

import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.cluster.threads.ThreadWishes;
import dev.weir.bench.cluster.threads.ThreadWishes.Detached;
import dev.weir.bench.program.CpuMask;
import dev.weir.bench.program.Flag;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;

/**
 * All options of a processor program. Names, short names, defaults and meaning are the seed's, but
 * for those of {@link WeirOptions}.
 */
public final class ProcessorOptions {
  /** With fewer, a spinning primary and backup leave none to Hazelcast. */
  private static final int CPUS_BESIDE_HAZELCAST = 4;

  @Mixin public GeneralOptions general = new GeneralOptions();
  @Mixin public OutputOptions output = new OutputOptions();
  @Mixin public BusOptions bus = new BusOptions();
  @Mixin public PersistenceOptions persistence = new PersistenceOptions();
  @Mixin public ClusteringOptions clustering = new ClusteringOptions();
  @Mixin public WeirOptions weir = new WeirOptions();

  /** The words that these options were read from; a backup that is started gets them too. */
  public List<String> given = List.of();

  /** Checks every value; {@code usage} throws what ends the program with one line. */
  public void check(Usage usage) {
    general.check(usage);
    output.check(usage);
    bus.check(usage);
    persistence.check(usage);
    clustering.check(usage);
    weir.check(usage);
    ackLevel(usage);
    OptimizeFor.ofSystem(usage);
  }

  public boolean isClustered() {
    return clustering.enableClustering.on() || weir.withBackup.on();
  }

  /** What it means that a member holds a message. */
  public AckLevel ackLevel(Usage usage) {
    boolean persistent = persistence.enablePersistence.on();
    if (weir.ackLevel == null) {
      boolean flush = persistent && persistence.persisterFlushOnCommit.on();
      return flush ? AckLevel.PERSISTED : AckLevel.RECEIVED;
    }
    AckLevel level = Names.parse(AckLevel.class, "--ack-level", weir.ackLevel, usage);
    usage.check(
        persistent || level == AckLevel.RECEIVED,
        "--ack-level",
        weir.ackLevel,
        "received without --enablePersistence");
    return level;
  }

  /** The threads that the groups of this configuration have on this machine. */
  public ThreadPlan plan(Usage usage) {
    ThreadPlan plan = threads(usage).built();
    boolean fewCpus = Runtime.getRuntime().availableProcessors() < CPUS_BESIDE_HAZELCAST;
    if (weir.transport(usage) == Replication.HAZELCAST && isClustered() && fewCpus) {
      return plan.blocking()
          .warning("nothing spins: Hazelcast's own threads need the CPUs of this machine");
    }
    return weir.blocking.on() ? plan.blocking() : plan;
  }

  /** Which threads this configuration has on this machine. */
  ThreadPlan threads(Usage usage) {
    OptimizeFor optimize = OptimizeFor.ofSystem(usage);
    return ThreadPlan.of(
        wishes(weir.cpuConfig(usage).wishes(optimize)),
        optimize,
        isClustered() ? weir.transport(usage) : null,
        persistence.enablePersistence.on(),
        weir.withBackup.on(),
        Runtime.getRuntime().availableProcessors(),
        masks(usage));
  }

  /** The preset, with what was given itself. */
  private ThreadWishes wishes(ThreadWishes preset) {
    return new ThreadWishes(
        orPreset(clustering.clusteringLinkSpinRead, preset.linkSpinRead()),
        orPreset(bus.busDetachedSend, preset.busDetachedSend()),
        orPreset(persistence.persisterDetached, preset.persisterDetached()),
        orPreset(clustering.clusteringDetachedSend, preset.detachedSend()),
        orPreset(clustering.clusteringDetachedDispatch, preset.detachedDispatch()));
  }

  private static boolean orPreset(Flag given, boolean preset) {
    return given == null ? preset : given.on();
  }

  private static Detached orPreset(Flag given, Detached preset) {
    return given == null ? preset : Detached.of(given.on());
  }

  private Map<Task, CpuMask> masks(Usage usage) {
    Map<Task, CpuMask> masks = new EnumMap<>(Task.class);
    masks.put(
        Task.INJECTOR,
        CpuMask.parse("--injectorCPUAffinityMask", bus.injectorCPUAffinityMask, usage));
    masks.put(Task.MUX, CpuMask.parse("--muxCPUAffinityMask", bus.muxCPUAffinityMask, usage));
    masks.put(
        Task.BUS_SENDER,
        CpuMask.parse(
            "--busDetachedSendCPUAffinityMask", bus.busDetachedSendCPUAffinityMask, usage));
    masks.put(
        Task.PERSISTER,
        CpuMask.parse(
            "--persisterWriterCPUAffinityMask", persistence.persisterWriterCPUAffinityMask, usage));
    masks.put(
        Task.LINK_READER,
        CpuMask.parse(
            "--clusteringLinkReaderCPUAffinityMask",
            clustering.clusteringLinkReaderCPUAffinityMask,
            usage));
    masks.put(
        Task.REPLICATION_SENDER,
        CpuMask.parse(
            "--clusteringDetachedSenderCPUAffinityMask",
            clustering.clusteringDetachedSenderCPUAffinityMask,
            usage));
    masks.put(
        Task.DISPATCHER,
        CpuMask.parse(
            "--clusteringDetachedDispatcherCPUAffinityMask",
            clustering.clusteringDetachedDispatcherCPUAffinityMask,
            usage));
    return masks;
  }
}
