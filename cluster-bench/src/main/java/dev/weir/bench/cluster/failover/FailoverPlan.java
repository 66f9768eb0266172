package dev.weir.bench.cluster.failover;

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

  long faultNs() {
    return TimeUnit.MILLISECONDS.toNanos(fault.durationMs(isLong));
  }

  /** A name for the plan that fits into names of files. */
  String id() {
    return fault + "-" + replication;
  }
}
