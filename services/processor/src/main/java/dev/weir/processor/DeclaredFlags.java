package dev.weir.processor;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Flags for options that an options class declares, such as {@code --heartbeat-ms} for {@code
 * heartbeatMs}. Description, allowed values and default come from the declaration.
 */
final class DeclaredFlags {
  private final Map<Option<?>, OptionSpec> flags = new LinkedHashMap<>();

  /** Flags for the options with these names. */
  DeclaredFlags(OptionSet declared, String... names) {
    List<String> wanted = List.of(names);
    declared.all().stream()
        .filter(option -> wanted.contains(option.name()))
        .forEach(option -> flags.put(option, flag(option)));
  }

  private static OptionSpec flag(Option<?> option) {
    Object byDefault = option.defaultValue();
    String description = option.does() + " Allowed: " + shown(option.type().allowed()) + ".";
    boolean hasDefault = byDefault != null && !(byDefault instanceof List);
    return OptionSpec.builder(name(option))
        .type(String.class)
        .paramLabel(byDefault instanceof Number ? "N" : option.name().toUpperCase(Locale.ROOT))
        .description(description + (hasDefault ? " Default: " + shown(byDefault) + "." : ""))
        .build();
  }

  private static String name(Option<?> option) {
    return "--" + option.name().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** Constants are written in lower case on a command line. */
  private static String shown(Object value) {
    String text = value.toString();
    boolean constants = value instanceof Enum || text.startsWith("one of ");
    return constants ? text.toLowerCase(Locale.ROOT) : text;
  }

  /** Adds the flags to a command. */
  void addTo(CommandSpec command) {
    flags.values().forEach(command::addOption);
  }

  /**
   * What was given, as entries for an options class.
   *
   * @throws IllegalArgumentException naming the flag, its value and what is allowed
   */
  Map<String, Object> given() {
    Map<String, Object> entries = new LinkedHashMap<>();
    flags.forEach(
        (option, flag) -> {
          String text = flag.getValue();
          if (text != null) {
            entries.put(option.name(), entry(option, text));
          }
        });
    return entries;
  }

  private static Object entry(Option<?> option, String text) {
    Object entry = text;
    if (option.defaultValue() instanceof Number && text.matches("-?\\d{1,18}")) {
      entry = Long.valueOf(text);
    } else if (option.defaultValue() instanceof Enum) {
      entry = text.toUpperCase(Locale.ROOT);
    } else if (option.defaultValue() instanceof List) {
      entry = List.of(text.split(","));
    }
    option.type().read(name(option), entry);
    return entry;
  }
}
