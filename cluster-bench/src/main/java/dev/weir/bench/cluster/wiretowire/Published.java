package dev.weir.bench.cluster.wiretowire;

import dev.weir.bench.cluster.threads.CpuConfig;
import dev.weir.bench.cluster.threads.OptimizeFor;
import dev.weir.bench.program.Names;
import java.util.Comparator;
import java.util.List;

/**
 * A figure that another system has published for the same test, for context.
 *
 * @param system name and version of the system
 * @param access to messages
 * @param optimize for latency, at 10,000 messages a second, or for throughput, saturated
 * @param config of the CPUs; null where only the best of all is published
 * @param cpus how many CPUs the configuration used there
 * @param p50Us median latency; 0 in a row of throughput
 * @param p99Us 0 where it is not published
 * @param p999Us 0 where it is not published
 * @param perSec messages a second, those of X Platform published in thousands; 0 in a row of
 *     latency
 * @param vsXPlatformPercent as published, against the same configuration of X Platform 3.16; 0 for
 *     X Platform
 */
record Published(
    String system,
    Access access,
    OptimizeFor optimize,
    CpuConfig config,
    int cpus,
    double p50Us,
    double p99Us,
    double p999Us,
    long perSec,
    int vsXPlatformPercent) {

  /** How handlers read the fields of a message. */
  enum Access {
    DIRECT,
    INDIRECT;

    @Override
    public String toString() {
      return Names.of(this);
    }
  }

  static final String RUMI = "Rumi 4.0.579";
  static final String X_PLATFORM = "X Platform 3.16";

  static final String HARDWARE =
      "published on Intel Xeon Gold 6334 (8 cores, 3.6 GHz), 128 GB, InfiniBand, primary and backup"
          + " on two machines, about 23 us of wire in each round trip, Oracle Java 8, February"
          + " 2025";

  static final String SOURCE =
      "docs.rumi.systems/performance/canonical-benchmark/test-results/4.0/4.0.579-4.0.39";

  static final List<Published> ALL =
      List.of(
          latency(RUMI, Access.INDIRECT, CpuConfig.MINCPU, 1, 31.46, 34.09, 43.43, -23),
          latency(RUMI, Access.INDIRECT, CpuConfig.DEFAULT, 2, 26.31, 29.18, 37.39, -14),
          latency(RUMI, Access.INDIRECT, CpuConfig.MAXCPU, 6, 29.86, 31.12, 37.32, -8),
          latency(RUMI, Access.DIRECT, CpuConfig.MINCPU, 1, 28.90, 31.56, 38.61, -23),
          latency(RUMI, Access.DIRECT, CpuConfig.DEFAULT, 2, 23.60, 26.40, 31.98, -14),
          latency(RUMI, Access.DIRECT, CpuConfig.MAXCPU, 6, 26.68, 27.78, 31.86, -8),
          throughput(RUMI, Access.INDIRECT, CpuConfig.MINCPU, 1, 139_875, 19),
          throughput(RUMI, Access.INDIRECT, CpuConfig.DEFAULT, 3, 113_377, 25),
          throughput(RUMI, Access.INDIRECT, CpuConfig.MAXCPU, 6, 97_441, 73),
          throughput(RUMI, Access.DIRECT, CpuConfig.MINCPU, 1, 421_498, 49),
          throughput(RUMI, Access.DIRECT, CpuConfig.DEFAULT, 3, 428_029, 52),
          throughput(RUMI, Access.DIRECT, CpuConfig.MAXCPU, 6, 422_400, 293),
          latency(X_PLATFORM, Access.INDIRECT, null, 4, 30.55, 0, 0, 0),
          latency(X_PLATFORM, Access.DIRECT, null, 4, 27.34, 0, 0, 0),
          throughput(X_PLATFORM, Access.INDIRECT, null, 1, 117_000, 0),
          throughput(X_PLATFORM, Access.DIRECT, null, 1, 282_000, 0));

  private static Published latency(
      String system,
      Access access,
      CpuConfig config,
      int cpus,
      double p50Us,
      double p99Us,
      double p999Us,
      int vsXPlatformPercent) {
    return new Published(
        system,
        access,
        OptimizeFor.LATENCY,
        config,
        cpus,
        p50Us,
        p99Us,
        p999Us,
        0,
        vsXPlatformPercent);
  }

  private static Published throughput(
      String system,
      Access access,
      CpuConfig config,
      int cpus,
      long perSec,
      int vsXPlatformPercent) {
    return new Published(
        system, access, OptimizeFor.THROUGHPUT, config, cpus, 0, 0, 0, perSec, vsXPlatformPercent);
  }

  /** All that is published of this test. */
  static List<Published> of(Access access, OptimizeFor optimize) {
    return ALL.stream().filter(row -> row.access == access && row.optimize == optimize).toList();
  }

  /** The best configuration of the system: its median latency, or its messages a second. */
  static Published best(String system, Access access, OptimizeFor optimize) {
    Comparator<Published> better = Comparator.comparingDouble(Published::figure);
    return of(access, optimize).stream()
        .filter(row -> row.system.equals(system))
        .min(optimize == OptimizeFor.LATENCY ? better : better.reversed())
        .orElseThrow();
  }

  /** The median latency in us, or messages a second. */
  double figure() {
    return optimize == OptimizeFor.LATENCY ? p50Us : perSec;
  }
}
