package dev.weir.gateway.health;

import dev.weir.options.Checks;
import java.util.function.Supplier;

/** One condition for a node to get requests. */
public interface HealthCheck {
  /** Small letters and dashes; unique in a {@link Health}; a tag of a metric. */
  String name();

  /**
   * Looks now; called on a worker thread, by several at a time, and by every probe: it should come
   * back within a second. What it throws counts as not passed.
   *
   * @return not null
   */
  HealthResult check();

  /** A check from a function. */
  static HealthCheck of(String name, Supplier<HealthResult> check) {
    Checks.notNull("name", name);
    Checks.notNull("check", check);
    return new HealthCheck() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public HealthResult check() {
        return check.get();
      }
    };
  }
}
