package dev.weir.bench.cluster.threads;

import dev.weir.bench.program.CpuMask;
import java.util.BitSet;

/** Gives each CPU to one spinning thread at most. */
final class CpuShare {
  private final int machineCpus;
  private final BitSet taken = new BitSet();

  CpuShare(int machineCpus) {
    this.machineCpus = machineCpus;
  }

  /** Takes one of these CPUs if one is free. */
  boolean take(CpuMask cpus) {
    BitSet free = cpus.cpus();
    if (cpus.isAny()) {
      free.set(0, machineCpus);
    }
    free.andNot(taken);
    // From above: work that is bound nowhere tends to start on the first.
    int cpu = free.length() - 1;
    if (cpu >= 0) {
      taken.set(cpu);
    }
    return cpu >= 0;
  }
}
