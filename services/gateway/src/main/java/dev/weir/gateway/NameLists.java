package dev.weir.gateway;

import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The types of options that are lists of names. */
final class NameLists {
  private static final String ANY_HOST = "*";
  private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private NameLists() {}

  static OptionType<List<String>> hosts() {
    return texts(
            "names of hosts without scheme and port, and * for any",
            name -> name.equals(ANY_HOST) || HOST_NAME.matcher(name).matches())
        .with("names of hosts", (option, names) -> lowerCase(names));
  }

  private static List<String> lowerCase(List<String> names) {
    return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
  }

  static OptionType<List<String>> patterns() {
    return texts(
        "names, and a * at the end of one",
        name -> !name.isBlank() && (!name.contains("*") || name.indexOf('*') == name.length() - 1));
  }

  private static OptionType<List<String>> texts(String allowed, Predicate<String> good) {
    return OptionTypes.texts(
        (option, text) -> {
          if (text == null || !good.test(text)) {
            throw new IllegalArgumentException(
                option + " has " + text + ", allowed are " + allowed);
          }
        });
  }
}
