package dev.weir.bench.persistence;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Refuses values with one line that names the option, the value and what is allowed. */
record Usage(CommandLine line) {

  void check(boolean allowed, String option, Object value, String range) {
    if (!allowed) {
      throw new ParameterException(line, option + " is " + value + ", allowed is " + range);
    }
  }

  void range(String option, long value, long min, long max) {
    check(value >= min && value <= max, option, value, min + " to " + max);
  }
}
