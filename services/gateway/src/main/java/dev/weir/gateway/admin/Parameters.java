package dev.weir.gateway.admin;

import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import io.vertx.ext.web.RoutingContext;

/** Whole numbers in requests; each refusal names the parameter, its value and what is allowed. */
final class Parameters {
  private Parameters() {}

  static long whole(RoutingContext context, String name, long byDefault, long min, long max) {
    String value = context.request().getParam(name);
    return value == null ? byDefault : whole(name, value, min, max);
  }

  static long whole(String name, String value, long min, long max) {
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As any other that is not allowed.
    }
    throw new ProblemException(
        ProblemType.BAD_REQUEST,
        name + " is " + value + ", allowed is a whole number from " + min + " to " + max);
  }
}
