package dev.weir.bench.program;

import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Teaches picocli the option types of the harness, so that a program declares such an option by its
 * names and its description alone. A program names this class in {@code @Command(modelTransformer =
 * OptionTypes.class)}. Where code adds such a program to another command, it adds {@code new
 * CommandLine(program)}: picocli does not transform a program that is added as an object.
 *
 * <ul>
 *   <li>{@link Flag}: the value is optional and {@code true} by default.
 *   <li>{@link CpuMask}: a list of CPUs or a mask.
 * </ul>
 */
public final class OptionTypes implements IModelTransformer {

  @Override
  public CommandSpec transform(CommandSpec command) {
    List<OptionSpec> options = List.copyOf(command.options());
    // All of them, because a help text without sorting lists options in the order of adding.
    options.forEach(command::remove);
    options.forEach(option -> command.addOption(complete(option)));
    return command;
  }

  private static OptionSpec complete(OptionSpec option) {
    if (option.type() == Flag.class) {
      return OptionSpec.builder(option)
          .arity("0..1")
          .fallbackValue("true")
          .paramLabel("BOOLEAN")
          .converters(new Flag.Converter())
          .build();
    }
    if (option.type() == CpuMask.class) {
      return OptionSpec.builder(option)
          .paramLabel("MASK")
          .converters(new CpuMask.Converter())
          .build();
    }
    return option;
  }
}
