package dev.weir.gateway.health;

import dev.weir.options.Checks;

/**
 * The result of one check.
 *
 * @param passed whether the node may get requests
 * @param detail one line for people, without secrets; empty if there is nothing to say
 */
public record HealthResult(boolean passed, String detail) {
  public HealthResult {
    Checks.notNull("detail", detail);
  }

  public static HealthResult pass() {
    return new HealthResult(true, "");
  }

  public static HealthResult pass(String detail) {
    return new HealthResult(true, detail);
  }

  public static HealthResult fail(String detail) {
    return new HealthResult(false, detail);
  }
}
