package dev.weir.bench.program;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Rejects the values of options with one line that names the option, the value and the allowed
 * range.
 */
public record Usage(CommandLine line) {

  /** Refuses the value of the option if it is not allowed; the range says what is. */
  public void check(boolean allowed, String option, Object value, String range) {
    if (!allowed) {
      throw new ParameterException(line, option + " is " + value + ", allowed is " + range);
    }
  }

  /** Refuses a value below min or above max. */
  public void range(String option, long value, long min, long max) {
    check(value >= min && value <= max, option, value, min + " to " + max);
  }
}
