package dev.weir.bench.program;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A boolean option of a program, given as {@code --option}, {@code --option=true} or {@code
 * --option=false}. A field of this type needs names and a description only; {@link OptionTypes}
 * adds the rest. The initial value of the field is the default; null stands for "not given".
 *
 * <p>With a plain {@code boolean}, picocli would take {@code --option maybe} for the option and an
 * argument of its own.
 */
public record Flag(boolean on) {
  /** The default of an option that is on unless it is switched off. */
  public static final Flag ON = new Flag(true);

  /** The default of an option that is off unless it is given. */
  public static final Flag OFF = new Flag(false);

  /** {@code true} or {@code false}, as in a help text. */
  @Override
  public String toString() {
    return Boolean.toString(on);
  }

  /** Accepts {@code true} and {@code false} and nothing else. */
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
