package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.ThreadPreset;
import dev.weir.bench.cluster.threads.ThreadPreset.Detached;
import dev.weir.bench.cluster.threads.ThreadRequest;
import dev.weir.bench.program.Names;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Replication;
import dev.weir.processor.Encoding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One processor, which is measured for latency and for throughput. */
record WireToWireCase(
    Replication transport, Kind kind, CpuConfig config, Threads asked, Encoding encoding) {
  private static final int MAX_CPU_CPUS = 6;
  private static final List<Encoding> ACCESS = List.of(Encoding.SBE_DIRECT, Encoding.SBE_INDIRECT);

  /** What is asked of the threads of a processor. */
  enum Threads {
    /** The threads of the CPU configuration. */
    CONFIGURED,
    /** No thread spins. */
    BLOCKING,
    /** No thread spins, and one thread does nothing but write the log. */
    LOG_DETACHED
  }

  /** All cases. Hazelcast's own threads need the CPUs where there are few: nothing spins there. */
  static List<WireToWireCase> all(int cpus) {
    List<WireToWireCase> cases = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (CpuConfig config : CpuConfig.values()) {
        if (config != CpuConfig.MAXCPU || cpus >= MAX_CPU_CPUS) {
          add(cases, Replication.TCP, kind, config, Threads.CONFIGURED);
        }
      }
      add(cases, Replication.TCP, kind, CpuConfig.DEFAULT, Threads.BLOCKING);
      add(cases, Replication.HAZELCAST, kind, CpuConfig.DEFAULT, Threads.BLOCKING);
    }
    cases.add(
        new WireToWireCase(
            Replication.TCP,
            Kind.ES,
            CpuConfig.DEFAULT,
            Threads.LOG_DETACHED,
            Encoding.SBE_DIRECT));
    return cases;
  }

  /** One case of each kind of threads and transport, for a run that is short of time. */
  static List<WireToWireCase> few() {
    return List.of(
        new WireToWireCase(
            Replication.TCP, Kind.ES, CpuConfig.DEFAULT, Threads.CONFIGURED, Encoding.SBE_DIRECT),
        new WireToWireCase(
            Replication.TCP, Kind.ES, CpuConfig.DEFAULT, Threads.BLOCKING, Encoding.SBE_DIRECT),
        new WireToWireCase(
            Replication.TCP, Kind.ES, CpuConfig.DEFAULT, Threads.BLOCKING, Encoding.SBE_INDIRECT),
        new WireToWireCase(
            Replication.HAZELCAST,
            Kind.ES,
            CpuConfig.DEFAULT,
            Threads.BLOCKING,
            Encoding.SBE_DIRECT),
        new WireToWireCase(
            Replication.TCP, Kind.SR, CpuConfig.DEFAULT, Threads.BLOCKING, Encoding.SBE_DIRECT));
  }

  private static void add(
      List<WireToWireCase> cases,
      Replication transport,
      Kind kind,
      CpuConfig config,
      Threads asked) {
    ACCESS.forEach(access -> cases.add(new WireToWireCase(transport, kind, config, asked, access)));
  }

  /**
   * How its processor is set up: with a log, and with a backup in a child process.
   *
   * @param logs the directory for the logs of both members
   */
  ProcessorSetup setup(Path logs) {
    OptimizeFor optimize = OptimizeFor.ofSystem();
    ThreadPreset preset = config.preset(optimize);
    if (asked == Threads.LOG_DETACHED) {
      preset = preset.withPersister(Detached.ALWAYS);
    }
    return new ProcessorSetup(
        kind,
        encoding,
        ProcessorSetup.groupOptions(transport, true, AckLevel.PERSISTED),
        Backup.CHILD,
        new ThreadRequest(optimize, preset, transport, true, true, Map.of())
            .onThisMachine(isBlocking()),
        logs,
        ProcessorSetup.localPrimary());
  }

  private boolean isBlocking() {
    return asked != Threads.CONFIGURED;
  }

  /** The threads in words. */
  String threads() {
    return switch (asked) {
      case CONFIGURED -> config.toString();
      case BLOCKING -> "blocking";
      case LOG_DETACHED -> "log-detached";
    };
  }

  String transportName() {
    return Names.of(transport);
  }

  Published.Access access() {
    return encoding == Encoding.SBE_DIRECT ? Published.Access.DIRECT : Published.Access.INDIRECT;
  }

  /** The floor that its latency is compared with. */
  String floor() {
    if (transport == Replication.HAZELCAST) {
      return Floors.HAZELCAST;
    }
    return isBlocking() ? Floors.TCP_BLOCKING : Floors.TCP_SPINNING;
  }

  @Override
  public String toString() {
    return String.join(" ", transportName(), kind.toString(), threads(), encoding.toString());
  }
}
