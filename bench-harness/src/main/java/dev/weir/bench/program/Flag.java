package dev.weir.bench.program;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A boolean option that may be given with or without a value. A {@code boolean} would leave a wrong
 * value behind as an argument of no option.
 */
public record Flag(boolean on) {

  /** Takes {@code true} and {@code false}. */
  public static final class Converter implements ITypeConverter<Flag> {
    @Override
    public Flag convert(String value) {
      if (!value.equals("true") && !value.equals("false")) {
        throw new TypeConversionException("'" + value + "' is neither true nor false");
      }
      return new Flag(value.equals("true"));
    }
  }
}
