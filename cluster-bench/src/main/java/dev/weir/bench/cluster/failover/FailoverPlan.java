package dev.weir.bench.cluster.failover;

import dev.weir.bench.cluster.member.MemberProcess;
import dev.weir.bench.cluster.member.ProcessCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a run does to one group.
 *
 * @param replication as {@code --replication} of {@code processor.jar} takes it
 * @param rounds how often the fault is caused, each time at the member that is primary then
 * @param isLong whether the fault lasts as long as in the full profile, and a first one, by which
 *     the JVMs warm up, is not measured
 * @param calmMs undisturbed time before and after each fault
 */
record FailoverPlan(
    Fault fault, String replication, int rounds, int ratePerSec, boolean isLong, long calmMs) {
  /** Log between two snapshots where the outage is the start of all members. */
  static final long SNAPSHOT_BYTES = 4 << 20;

  long faultNs() {
    return TimeUnit.MILLISECONDS.toNanos(fault.durationMs(isLong));
  }

  /** Whether members start with an archive of their classes, because the outage is their start. */
  boolean usesArchive() {
    return fault == Fault.BOTH_KILL && ProcessCluster.mayArchive();
  }

  /** Arguments that members have in this plan alone. */
  List<String> memberArguments() {
    return fault == Fault.BOTH_KILL ? List.of("--snapshot-bytes=" + SNAPSHOT_BYTES) : List.of();
  }

  /** The JVM flags of members. */
  List<String> childFlags() {
    List<String> flags = new ArrayList<>(MemberProcess.flags());
    if (usesArchive()) {
      flags.add(ProcessCluster.archiveFlag(Path.of("classes.jsa")));
    }
    return flags;
  }

  /** A name for the plan that fits into names of files. */
  String id() {
    return fault + "-" + replication;
  }
}
