package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.child.ParentWatch;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.program.Directories;
import dev.weir.cluster.ClusterNode;
import dev.weir.cluster.GroupDuty;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The backup of the measured group. The class is the main class of a child process; the argument is
 * a {@link Member} as JSON. The process ends with its parent, which removes the log.
 */
public final class BackupMain {
  /** The line that a backup prints when its group runs. */
  static final String READY = "READY";

  private BackupMain() {}

  /** Runs until the parent ends. */
  public static void main(String[] args) throws Exception {
    JvmDefaults.apply();
    ParentWatch.start();
    run(Member.fromJson(args[0]), duty -> {});
  }

  /** Runs a backup for a primary on another machine, blocking the caller until this JVM ends. */
  public static void runAlone(ProcessorSetup setup) throws Exception {
    Path directory = Files.createTempDirectory(setup.logs(), "log-backup-");
    // Alone on its machine, a backup has the threads that a primary alone has.
    ProcessThreads threads =
        setup.threads().backup() == null ? setup.threads().primary() : setup.threads().backup();
    try {
      run(setup.member(ProcessorSetup.BACKUP, directory, threads), threads::bind);
    } finally {
      Directories.delete(directory);
    }
  }

  private static void run(Member member, Consumer<GroupDuty> onThread) throws Exception {
    try (ClusterNode node = ClusterNode.start(member.node())) {
      member
          .kind()
          .on(node.group(member.group()), member.encoding())
          .replies((clientId, sequence, buffer, offset, length) -> {})
          .onThread(onThread::accept)
          .start();
      System.out.println(READY);
      Thread.currentThread().join();
    }
  }
}
