package dev.weir.bench.cluster.options;

import dev.weir.bench.cluster.Kind;
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
import dev.weir.bench.program.Names;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Replication;
import dev.weir.cluster.ThreadOptions;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The command line of a processor program: the options of the original benchmark, then ours. */
public final class ProcessorOptions {
  @Mixin public RumiOptions rumi = new RumiOptions();
  @Mixin public WeirOptions weir = new WeirOptions();

  /**
   * The processor that these options describe.
   *
   * @param usage refuses what is not allowed, with the line that ends the program
   */
  public ProcessorSetup setup(Kind kind, Usage usage) {
    rumi.check(usage);
    weir.check(usage);
    if (backup() == Backup.NONE) {
      rumi.checkAlone(usage);
    }
    try {
      Replication replication = Names.parse(Replication.class, "--transport", weir.transport);
      OptimizeFor optimize =
          Names.parse(OptimizeFor.class, "--optimize-for (nv.optimizefor)", weir.optimizeFor);
      GroupOptions group =
          optimize
              .batches(
                  ProcessorSetup.groupOptions(
                      replication, rumi.enablePersistence.on(), ackLevel(usage)))
              .setThreads(new ThreadOptions().setReplyQueueDepth(rumi.busDetachedSendQueueDepth));
      if (weir.optimizeMemory.on()) {
        ProcessorSetup.savingMemory(group);
      }
      return new ProcessorSetup(
          kind,
          rumi.encoding,
          group,
          backup(),
          threads(replication, optimize),
          rumi.persisterLogLocation,
          ProcessorSetup.nodeOptions(weir.isBackup(), rumi.host(), weir.port, weir.peer)
              .setReplicationHost(rumi.replicationHost()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(usage.line(), e.getMessage(), e);
    }
  }

  private AckLevel ackLevel(Usage usage) {
    boolean persistent = rumi.enablePersistence.on();
    if (weir.ackLevel == null) {
      boolean flush = persistent && rumi.persisterFlushOnCommit.on();
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
    return rumi.enableClustering.on() ? Backup.ELSEWHERE : Backup.NONE;
  }

  private ThreadPlan threads(Replication replication, OptimizeFor optimize) {
    CpuConfig config = Names.parse(CpuConfig.class, "--cpu-config", weir.cpuConfig);
    ThreadPlan plan =
        new ThreadRequest(
                optimize,
                given(config.preset(optimize)),
                backup() == Backup.NONE ? null : replication,
                rumi.enablePersistence.on(),
                backup() == Backup.CHILD,
                masks())
            .onThisMachine(weir.blocking.on());
    for (String line : warnings(plan)) {
      plan = plan.warning(line);
    }
    return plan;
  }

  /** One line for each option that is given and has no effect. */
  private List<String> warnings(ThreadPlan plan) {
    List<String> lines = rumi.warnings();
    for (Task task : Task.values()) {
      if (!masks().get(task).isAny() && !plan.primary().has(task)) {
        String name = Names.of(task).replace('-', ' ');
        lines.add("there is no thread " + name + ": the CPUs given for it are not used");
      }
    }
    return lines;
  }

  /** The preset, replaced by those options that were given themselves. */
  private ThreadPreset given(ThreadPreset preset) {
    return new ThreadPreset(
        orPreset(rumi.clusteringLinkSpinRead, preset.linkSpinRead()),
        orPreset(rumi.busDetachedSend, preset.replies()),
        orPreset(rumi.persisterDetached, preset.persister()),
        orPreset(rumi.clusteringDetachedSend, preset.detachedSend()),
        orPreset(rumi.clusteringDetachedDispatch, preset.detachedDispatch()));
  }

  private static boolean orPreset(Flag given, boolean preset) {
    return given == null ? preset : given.on();
  }

  private static Detached orPreset(Flag given, Detached preset) {
    return given == null ? preset : Detached.of(given.on());
  }

  private Map<Task, CpuMask> masks() {
    return Map.of(
        Task.INJECTOR, rumi.injectorCPUAffinityMask,
        Task.MUX, rumi.muxCPUAffinityMask,
        Task.BUS_SENDER, rumi.busDetachedSendCPUAffinityMask,
        Task.PERSISTER, rumi.persisterWriterCPUAffinityMask,
        Task.LINK_READER, rumi.clusteringLinkReaderCPUAffinityMask,
        Task.REPLICATION_SENDER, rumi.clusteringDetachedSenderCPUAffinityMask,
        Task.DISPATCHER, rumi.clusteringDetachedDispatcherCPUAffinityMask);
  }
}
