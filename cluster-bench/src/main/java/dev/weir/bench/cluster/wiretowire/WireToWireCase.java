package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.Kind;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.processor.ProcessorSetup;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.cluster.threads.ThreadPreset;
import dev.weir.bench.cluster.threads.ThreadPreset.Detached;
import dev.weir.bench.cluster.threads.ThreadRequest;
import dev.weir.bench.program.Names;
import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.Replication;
import dev.weir.processor.Encoding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One processor and what is measured of it.
 *
 * @param measured latency at a set rate, or throughput
 */
record WireToWireCase(
    Replication transport,
    Kind kind,
    CpuConfig config,
    Threads asked,
    Encoding encoding,
    OptimizeFor measured) {
  private static final List<Encoding> ACCESS = List.of(Encoding.SBE_DIRECT, Encoding.SBE_INDIRECT);

  /** What is asked of the threads of a processor. */
  enum Threads {
    /** The threads of the CPU configuration. */
    CONFIGURED,
    /** No thread spins. */
    BLOCKING,
    /** No thread spins, and the processor is optimized for what is not measured. */
    BLOCKING_FOR_OTHER,
    /** No thread spins, and one thread does nothing but write the log. */
    LOG_DETACHED
  }

  /**
   * All cases, those among them for which a machine has too few CPUs. Hazelcast's own threads need
   * the CPUs where there are few: nothing spins there.
   */
  static List<WireToWireCase> all() {
    List<WireToWireCase> cases = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (CpuConfig config : CpuConfig.values()) {
        add(cases, Replication.TCP, kind, config, Threads.CONFIGURED, ACCESS);
      }
      add(cases, Replication.TCP, kind, CpuConfig.DEFAULT, Threads.BLOCKING, ACCESS);
      add(cases, Replication.HAZELCAST, kind, CpuConfig.DEFAULT, Threads.BLOCKING, ACCESS);
    }
    for (Threads asked : List.of(Threads.BLOCKING_FOR_OTHER, Threads.LOG_DETACHED)) {
      add(cases, Replication.TCP, Kind.ES, CpuConfig.DEFAULT, asked, ACCESS.subList(0, 1));
    }
    List<Encoding> protobuf = List.of(Encoding.PROTOBUF_SERIAL, Encoding.PROTOBUF_RANDOM);
    add(cases, Replication.TCP, Kind.ES, CpuConfig.DEFAULT, Threads.BLOCKING, protobuf);
    return cases;
  }

  private static void add(
      List<WireToWireCase> cases,
      Replication transport,
      Kind kind,
      CpuConfig config,
      Threads asked,
      List<Encoding> encodings) {
    for (Encoding encoding : encodings) {
      for (OptimizeFor measured : OptimizeFor.values()) {
        cases.add(new WireToWireCase(transport, kind, config, asked, encoding, measured));
      }
    }
  }

  /** The cases of a run that is short of time: each table, and each kind of threads. */
  static List<WireToWireCase> few() {
    return all().stream().filter(WireToWireCase::isShort).toList();
  }

  private boolean isShort() {
    boolean blocking = asked == Threads.BLOCKING;
    if (config != CpuConfig.DEFAULT || !(blocking || asked == Threads.CONFIGURED)) {
      return false;
    }
    if (encoding == Encoding.SBE_INDIRECT) {
      return blocking && isOnTcp() && kind == Kind.ES;
    }
    if (encoding != Encoding.SBE_DIRECT) {
      return false;
    }
    if (kind == Kind.SR) {
      return blocking && isOnTcp() && measured == OptimizeFor.THROUGHPUT;
    }
    return isOnTcp() && blocking || measured == OptimizeFor.LATENCY;
  }

  private boolean isOnTcp() {
    return transport == Replication.TCP;
  }

  /**
   * How its processor is set up: with a log, and with a backup in a child process.
   *
   * @param logs the directory for the logs of both members
   */
  ProcessorSetup setup(Path logs) {
    GroupOptions group =
        optimize().batches(ProcessorSetup.groupOptions(transport, true, AckLevel.PERSISTED));
    return new ProcessorSetup(
        kind,
        encoding,
        group,
        Backup.CHILD,
        threadRequest().onThisMachine(isBlocking()),
        logs,
        ProcessorSetup.localPrimary());
  }

  private ThreadRequest threadRequest() {
    ThreadPreset preset = config.preset(optimize());
    if (asked == Threads.LOG_DETACHED) {
      preset = preset.withPersister(Detached.ALWAYS);
    }
    return new ThreadRequest(optimize(), preset, transport, true, true, Map.of());
  }

  /** What the processor is optimized for. */
  OptimizeFor optimize() {
    return asked == Threads.BLOCKING_FOR_OTHER ? measured.other() : measured;
  }

  /**
   * CPUs that a machine needs for the primary and its backup; with fewer this would be another
   * configuration.
   */
  int neededCpus() {
    return config == CpuConfig.MAXCPU ? ThreadPlan.spinningThreads(threadRequest()) : 1;
  }

  /** The command that measures this case alone. */
  String command() {
    List<String> words = new ArrayList<>();
    words.addAll(List.of("java", "-jar", "cluster-bench.jar", kind + "-processor"));
    words.addAll(List.of("--with-backup", "--enablePersistence", "--persisterFlushOnCommit"));
    words.addAll(List.of("--encoding", encoding.toString(), "--transport", transportName()));
    words.addAll(List.of("--cpu-config", config.toString(), "--optimize-for", optimize() + ""));
    if (isBlocking()) {
      words.add("--blocking");
    }
    if (asked == Threads.LOG_DETACHED) {
      words.add("--persisterDetached");
    }
    if (measured == OptimizeFor.LATENCY) {
      words.addAll(List.of("--rate", WireToWireScenario.RATE_PER_SEC + "", "--count", "600000"));
    } else {
      words.addAll(List.of("--rate", "-1", "--window", WireToWireScenario.WINDOW + ""));
      words.addAll(List.of("--count", "5000000", "--outputThroughput"));
    }
    return String.join(" ", words);
  }

  /** Whether a machine with so many CPUs has enough for this configuration. */
  boolean runsOn(int cpus) {
    return neededCpus() <= cpus;
  }

  private boolean isBlocking() {
    return asked != Threads.CONFIGURED;
  }

  /** The threads in words. */
  String threads() {
    return switch (asked) {
      case CONFIGURED -> config.toString();
      case BLOCKING -> "blocking";
      case BLOCKING_FOR_OTHER -> "blocking for-" + optimize();
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
    if (!isOnTcp()) {
      return Floors.HAZELCAST;
    }
    return isBlocking() ? Floors.TCP_BLOCKING : Floors.TCP_SPINNING;
  }

  @Override
  public String toString() {
    return String.join(
        " ", transportName(), kind.toString(), threads(), encoding.toString(), measured.toString());
  }
}
