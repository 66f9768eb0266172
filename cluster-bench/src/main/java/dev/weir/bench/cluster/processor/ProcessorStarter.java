package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.child.ChildFlags;
import dev.weir.bench.cluster.child.Ports;
import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import dev.weir.bench.cluster.processor.ProcessorSetup.Backup;
import dev.weir.bench.cluster.threads.PlannedThread.Task;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.ProcessorGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Starts the group that is measured, with its log, and its backup where one is asked for. */
public final class ProcessorStarter {
  private static final int BACKUP_HEAP_MIB = 512;
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private final ProcessorSetup setup;
  private final ProcessThreads threads;
  private final ClusteredProcessor processor;

  private ProcessorStarter(ProcessorSetup setup) {
    this.setup = setup;
    this.threads = setup.threads().primary();
    this.processor = new ClusteredProcessor(threads.has(Task.INJECTOR));
  }

  /** The JVM flags of a backup in a process of its own. */
  public static List<String> backupFlags() {
    return ChildFlags.of(BACKUP_HEAP_MIB);
  }

  /** Opens the processor; as a {@link ProcessorFactory}. */
  public static ProcessorUnderTest open(ProcessorSetup setup) throws Exception {
    ProcessorStarter starter = new ProcessorStarter(setup);
    boolean opened = false;
    try {
      starter.start();
      opened = true;
      return starter.processor;
    } finally {
      if (!opened) {
        starter.processor.close();
      }
    }
  }

  private void start() throws Exception {
    Path log = newDirectory("log-primary-");
    if (setup.backup() == Backup.NONE) {
      Member alone = setup.member("alone", log, threads);
      startGroup(GroupBuilder.alone(alone.group().setMembers(List.of("alone")), log), 1);
    } else if (setup.backup() == Backup.ELSEWHERE) {
      Member primary = setup.member(ProcessorSetup.PRIMARY, log, threads);
      startGroup(startNode(primary).group(primary.group()), 2);
    } else {
      int[] ports = Ports.free(2);
      Member primary =
          setup.onPorts(ports[0], ports[1]).member(ProcessorSetup.PRIMARY, log, threads);
      // Before the backup, so that the first node need not wait for another that starts as well.
      ClusterNode node = startNode(primary);
      startBackup(setup.onPorts(ports[1], ports[0]));
      startGroup(node.group(primary.group()), 2);
    }
  }

  /** A directory that is removed when the processor is closed. */
  private Path newDirectory(String prefix) throws IOException {
    Path directory = Files.createTempDirectory(setup.logs(), prefix);
    processor.add(() -> Directories.delete(directory));
    return directory;
  }

  private ClusterNode startNode(Member member) throws Exception {
    ClusterNode node = ClusterNode.start(member.node());
    processor.add(node);
    return node;
  }

  private void startBackup(ProcessorSetup there) throws IOException, InterruptedException {
    Member member =
        there.member(ProcessorSetup.BACKUP, newDirectory("log-backup-"), setup.threads().backup());
    ChildJvm child = ChildJvm.start(backupFlags(), BackupMain.class, List.of(member.toJson()));
    processor.add(child);
    child.awaitLine(BackupMain.READY, PATIENCE);
  }

  private void startGroup(GroupBuilder builder, int members)
      throws IOException, InterruptedException {
    ProcessorGroup group =
        setup
            .kind()
            .on(builder, setup.encoding())
            .replies(processor)
            .source(processor.source())
            .onThread(threads::bind)
            .start();
    processor.add(group);
    processor.start(group, members, PATIENCE);
  }
}
