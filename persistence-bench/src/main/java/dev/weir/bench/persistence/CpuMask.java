package dev.weir.bench.persistence;

import java.util.BitSet;
import net.openhft.affinity.Affinity;

/** The CPUs a thread may run on. */
final class CpuMask {
  private CpuMask() {}

  /** Bit n of the mask is CPU n. */
  static BitSet parse(String mask, Usage usage) {
    long bits = 0;
    try {
      bits = Long.decode(mask);
    } catch (NumberFormatException e) {
      // Refused below, as no mask at all.
    }
    long cpus = Runtime.getRuntime().availableProcessors();
    long highest = bits > 0 ? Long.SIZE - Long.numberOfLeadingZeros(bits) : 0;
    usage.check(
        bits > 0 && highest <= cpus,
        "--affinity",
        mask,
        "a mask of the " + cpus + " CPUs, such as 1 or 0x2");
    return BitSet.valueOf(new long[] {bits});
  }

  /** Binds the current thread; where the platform cannot do that, nothing happens. */
  static void bind(BitSet cpus) {
    if (cpus != null) {
      Affinity.setAffinity(cpus);
    }
  }
}
