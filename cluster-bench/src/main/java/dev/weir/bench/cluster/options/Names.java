package dev.weir.bench.cluster.options;

import dev.weir.bench.program.Usage;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Constants of an enum by their names in lower case. */
public final class Names {
  private Names() {}

  public static <E extends Enum<E>> E parse(
      Class<E> type, String option, String name, Usage usage) {
    for (E constant : type.getEnumConstants()) {
      if (of(constant).equals(name)) {
        return constant;
      }
    }
    String all =
        Arrays.stream(type.getEnumConstants()).map(Names::of).collect(Collectors.joining(", "));
    usage.check(false, option, name, all);
    throw new IllegalStateException("refused before");
  }

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
