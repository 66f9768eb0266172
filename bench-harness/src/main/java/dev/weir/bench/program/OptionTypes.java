package dev.weir.bench.program;

import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Adds to the options of a program what all options of a type have in common, so that a program
 * declares an option by its names and its description alone. A program names this class in
 * {@code @Command(modelTransformer = OptionTypes.class)}. Where code adds such a program to another
 * command, it adds {@code new CommandLine(program)}: picocli does not transform a program that is
 * added as an object.
 *
 * <ul>
 *   <li>{@link Flag}: the value is optional and {@code true} by default.
 *   <li>{@link CpuMask}: a list of CPUs or a mask; the description says so.
 *   <li>Numbers have the label N if they have no other.
 *   <li>A description ends with the default if the option declares one.
 *   <li>A program that is {@link ShortNames} gives options further names.
 * </ul>
 */
public final class OptionTypes implements IModelTransformer {
  private static final Set<Class<?>> NUMBERS = Set.of(int.class, long.class, double.class);

  /** A program whose options have short names that other programs use for other options. */
  public interface ShortNames {
    /** Short names by the long name of their option. */
    Map<String, String> shortNames();
  }

  @Override
  public CommandSpec transform(CommandSpec command) {
    Map<String, String> names =
        command.userObject() instanceof ShortNames program ? program.shortNames() : Map.of();
    List<OptionSpec> options = List.copyOf(command.options());
    // All of them, because a help text without sorting lists options in the order of adding.
    options.forEach(command::remove);
    options.forEach(option -> command.addOption(complete(option, names.get(option.longestName()))));
    return command;
  }

  private static OptionSpec complete(OptionSpec option, String shortName) {
    OptionSpec.Builder builder = OptionSpec.builder(option);
    String description = String.join(" ", option.description());
    if (shortName != null) {
      builder.names(shortName, option.longestName());
    }
    if (option.type() == Flag.class) {
      builder
          .arity("0..1")
          .fallbackValue("true")
          .paramLabel("BOOLEAN")
          .converters(new Flag.Converter());
    } else if (option.type() == CpuMask.class) {
      builder.paramLabel("MASK").converters(new CpuMask.Converter());
      description += " A list ([1] is the second CPU) or a mask (0x2 or 2: the second).";
      description += " Default: any.";
    } else if (NUMBERS.contains(option.type()) && option.paramLabel().startsWith("<")) {
      builder.paramLabel("N");
    }
    if (option.defaultValue() != null) {
      description += " Default: ${DEFAULT-VALUE}.";
    }
    return builder.description(description).build();
  }
}
