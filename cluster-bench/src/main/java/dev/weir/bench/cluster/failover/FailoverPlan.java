package dev.weir.bench.cluster.failover;

import java.util.concurrent.TimeUnit;

/**
 * What is done to one group.
 *
 * @param replication as {@code --replication} of {@code processor.jar} takes it
 * @param rounds how often the fault strikes whoever is primary then
 * @param isLong whether the fault lasts as long as in the full profile
 * @param calmMs undisturbed time before and after each fault
 */
record FailoverPlan(
    Fault fault, String replication, int rounds, int ratePerSec, boolean isLong, long calmMs) {

  long faultNs() {
    return TimeUnit.MILLISECONDS.toNanos(fault.durationMs(isLong));
  }

  /** As a part of the names of files. */
  String id() {
    return fault + "-" + replication;
  }
}
