package dev.weir.bench.cluster.processor;

import dev.weir.bench.cluster.processor.MemberSetup.ThreadsAtRest;
import dev.weir.bench.cluster.threads.ProcessThreads;
import dev.weir.bench.cluster.threads.ThreadPlan;
import java.nio.file.Path;

/**
 * A processor that is to be measured: its group, its threads, and where its members run.
 *
 * @param logs the directory in which each member gets one for its log
 * @param address of the member in this process
 */
public record ProcessorSetup(
    GroupSetup group, Backup backup, ThreadPlan threads, Path logs, NodeAddress address) {

  /** Where the backup runs. */
  public enum Backup {
    /** There is none. */
    NONE,
    /** In a process that the user starts. */
    ELSEWHERE,
    /** In a child process on this machine. */
    CHILD
  }

  public boolean isClustered() {
    return backup != Backup.NONE;
  }

  /** The processor in words. */
  public String describe() {
    return isClustered()
        ? "a group of primary and backup, minInSync 1, the backup in sync throughout"
        : "a group of one member";
  }

  MemberSetup member(String name, NodeAddress at, Path directory, ProcessThreads ofMember) {
    return new MemberSetup(name, at, directory, group, ThreadsAtRest.of(ofMember));
  }
}
