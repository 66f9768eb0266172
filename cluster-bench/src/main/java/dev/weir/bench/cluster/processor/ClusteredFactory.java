package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.ClusterBench;
import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.options.ProcessorOptions;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.cluster.threads.PlannedThread.Place;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ThreadPlan;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.Directories;
import dev.weir.bench.program.Usage;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Makes real groups: a log on JE, and a backup in a second process where asked. */
public final class ClusteredFactory implements ProcessorFactory {
  static final List<String> MEMBERS = List.of("primary", "backup");

  /** What a backup says when it runs. */
  private static final String READY = "READY";

  private static final int PRIMARY_PORT = 5701;
  private static final int BACKUP_PORT = 5702;
  private static final int BACKUP_HEAP_MIB = 512;
  private static final int MAX_MESSAGE_BYTES = 1 << 10;
  private static final String LOOPBACK = "127.0.0.1";
  private static final String ANY = "0.0.0.0";
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  // With all CPUs taken, silence of seconds proves nothing; failover is measured elsewhere.
  private static final int HEARTBEAT_MS = 100;
  private static final int LEASE_MS = 10_000;
  private static final int TAKEOVER_MS = 20_000;

  @Override
  public ProcessorUnderTest open(
      Kind kind, ProcessorOptions options, ThreadPlan threads, Usage usage) throws Exception {
    ClusteredProcessor processor =
        new ClusteredProcessor(threads.has(Place.PRIMARY, Task.INJECTOR));
    boolean opened = false;
    try {
      Path directory =
          Files.createTempDirectory(options.persistence.persisterLogLocation, "log-primary-");
      processor.add(() -> Directories.delete(directory));
      if (options.isClustered()) {
        openClustered(processor, kind, options, threads, directory, usage);
      } else {
        GroupBuilder builder =
            GroupBuilder.alone(
                groupOptions(options, threads, Place.PRIMARY, usage).setMembers(List.of("alone")),
                directory);
        start(processor, builder, kind, options, threads, 1);
      }
      opened = true;
      return processor;
    } finally {
      if (!opened) {
        processor.close();
      }
    }
  }

  private static void openClustered(
      ClusteredProcessor processor,
      Kind kind,
      ProcessorOptions options,
      ThreadPlan threads,
      Path directory,
      Usage usage)
      throws Exception {
    NodeOptions node = nodeOptions(options, directory);
    boolean withBackup = options.weir.withBackup.on();
    int[] ports = Ports.free(2);
    if (withBackup) {
      node.setPort(ports[0]).setJoin(List.of(LOOPBACK + ":" + ports[1]));
    }
    // First the one that is to be primary: it need not wait for another that starts as well.
    ClusterNode member = ClusterNode.start(node);
    processor.add(member);
    if (withBackup) {
      Path log = Files.createTempDirectory(options.persistence.persisterLogLocation, "log-backup-");
      processor.add(() -> Directories.delete(log));
      ChildJvm backup = startBackup(kind, options, ports, log);
      processor.add(backup);
      backup.awaitLine(READY, PATIENCE);
    }
    GroupBuilder builder = member.group(groupOptions(options, threads, Place.PRIMARY, usage));
    start(processor, builder, kind, options, threads, MEMBERS.size());
  }

  private static void start(
      ClusteredProcessor processor,
      GroupBuilder builder,
      Kind kind,
      ProcessorOptions options,
      ThreadPlan threads,
      int members)
      throws IOException, InterruptedException {
    var group =
        kind.on(builder, options.general.encoding)
            .replies(processor)
            .source(processor.source())
            .onThread(duty -> threads.bind(Place.PRIMARY, duty))
            .start();
    processor.add(group);
    processor.start(group, members, PATIENCE);
  }

  /** Runs a backup on the calling thread until the process ends. */
  public static void runBackup(Kind kind, ProcessorOptions options, ThreadPlan threads, Usage usage)
      throws Exception {
    Path directory = options.weir.child;
    if (directory != null) {
      ParentWatch.start();
    } else {
      directory =
          Files.createTempDirectory(options.persistence.persisterLogLocation, "log-backup-");
    }
    // Alone on its machine it has the threads of one that is.
    Place place = threads.has(Place.BACKUP, Task.MUX) ? Place.BACKUP : Place.PRIMARY;
    try (ClusterNode member = ClusterNode.start(nodeOptions(options, directory))) {
      kind.on(member.group(groupOptions(options, threads, place, usage)), options.general.encoding)
          .replies((clientId, sequence, buffer, offset, length) -> {})
          .onThread(duty -> threads.bind(place, duty))
          .start();
      System.out.println(READY);
      Thread.currentThread().join();
    } finally {
      Directories.delete(directory);
    }
  }

  private static ChildJvm startBackup(Kind kind, ProcessorOptions options, int[] ports, Path log)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(ProcessorProgram.of(kind));
    arguments.addAll(options.given);
    arguments.addAll(List.of("--role", "backup", "--child", log.toString()));
    arguments.addAll(List.of("--port", Integer.toString(ports[1])));
    arguments.addAll(List.of("--peer", LOOPBACK + ":" + ports[0]));
    List<String> flags = new ArrayList<>(ChildFlags.of(BACKUP_HEAP_MIB));
    flags.add(OptimizeFor.flag());
    return ChildJvm.start(flags, ClusterBench.class, arguments);
  }

  private static NodeOptions nodeOptions(ProcessorOptions options, Path directory) {
    boolean backup = options.weir.isBackup();
    String asked = options.clustering.clusteringDiscoveryLocalIfAddr;
    int own = backup ? BACKUP_PORT : PRIMARY_PORT;
    int other = backup ? PRIMARY_PORT : BACKUP_PORT;
    String peer = options.weir.peer;
    return new NodeOptions()
        .setClusterName("weir-bench")
        .setMemberName(MEMBERS.get(backup ? 1 : 0))
        .setHost(asked.equals(ANY) ? LOOPBACK : asked)
        .setPort(options.weir.port == null ? own : options.weir.port)
        .setJoin(List.of(peer == null ? LOOPBACK + ":" + other : peer))
        .setDirectory(directory);
  }

  private static GroupOptions groupOptions(
      ProcessorOptions options, ThreadPlan threads, Place place, Usage usage) {
    return new GroupOptions()
        .setName("bench")
        .setMembers(MEMBERS)
        .setPersistence(options.persistence.enablePersistence.on())
        .setAckLevel(options.ackLevel(usage))
        .setReplication(options.weir.transport(usage))
        .setWaiting(threads.waiting(place))
        .setLinkWaiting(threads.linkWaiting(place))
        .setThreads(threads.options(place, options.bus.busDetachedSendQueueDepth))
        .setMaxMessageBytes(MAX_MESSAGE_BYTES)
        .setHeartbeatMs(HEARTBEAT_MS)
        .setLeaseMs(LEASE_MS)
        .setTakeoverMs(TAKEOVER_MS);
  }

  @Override
  public String describe(ProcessorOptions options) {
    return options.isClustered()
        ? "a group of primary and backup, minInSync 1, the backup in sync throughout"
        : "a group of one member";
  }
}
