package dev.weir.bench.program;

import java.util.BitSet;
import net.openhft.affinity.Affinity;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The CPUs a thread may run on. A bench that binds threads has {@code net.openhft:affinity} on its
 * class path; the harness does not bring it.
 */
public final class CpuMask {
  /** Any CPU. */
  public static final CpuMask ANY = new CpuMask(new BitSet());

  private final BitSet cpus;

  private CpuMask(BitSet cpus) {
    this.cpus = cpus;
  }

  /** Only this CPU; the first is 0. */
  public static CpuMask of(int cpu) {
    BitSet cpus = new BitSet();
    cpus.set(cpu);
    return new CpuMask(cpus);
  }

  /**
   * Reads a list of CPUs, the first is 0, as in {@code [1]} or {@code [0,2]}; or a mask, bit n of
   * which is CPU n, as in {@code 2} or {@code 0x5}.
   *
   * @throws IllegalArgumentException if the text is neither, or names a CPU that this machine does
   *     not have
   */
  public static CpuMask parse(String text) {
    return parse(text, Runtime.getRuntime().availableProcessors());
  }

  static CpuMask parse(String text, int machineCpus) {
    BitSet cpus = read(text);
    if (cpus.isEmpty() || cpus.length() > machineCpus) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' is not a list of the CPUs 0 to "
              + (machineCpus - 1)
              + ", such as [0], or a mask of them, such as 0x1");
    }
    return new CpuMask(cpus);
  }

  private static BitSet read(String text) {
    return text.startsWith("[") ? list(text) : mask(text);
  }

  /** Empty if it is no list. */
  private static BitSet list(String text) {
    BitSet cpus = new BitSet();
    if (text.matches("\\[ *\\d{1,4} *(, *\\d{1,4} *)*]")) {
      for (String cpu : text.substring(1, text.length() - 1).split(",")) {
        cpus.set(Integer.parseInt(cpu.trim()));
      }
    }
    return cpus;
  }

  /** Empty if it is no mask. */
  private static BitSet mask(String text) {
    try {
      return BitSet.valueOf(new long[] {Math.max(0, Long.decode(text))});
    } catch (NumberFormatException e) {
      return new BitSet();
    }
  }

  /** Reads a mask of this machine from an option. */
  public static final class Converter implements ITypeConverter<CpuMask> {

    @Override
    public CpuMask convert(String text) {
      try {
        return parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Whether there is nothing to bind to. */
  public boolean isAny() {
    return cpus.isEmpty();
  }

  /** The CPUs; empty for any. */
  public BitSet cpus() {
    return (BitSet) cpus.clone();
  }

  /** Binds the current thread; where the platform cannot do that, nothing happens. */
  public void bind() {
    if (!isAny()) {
      Affinity.setAffinity(cpus);
    }
  }

  /** The CPUs as a list, or {@code any}. */
  @Override
  public String toString() {
    return isAny() ? "any" : cpus.toString().replace('{', '[').replace('}', ']').replace(" ", "");
  }
}
