package dev.weir.flow;

import dev.weir.options.Checks;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** What the calls of {@link Weir} and {@link RemoteServices} have in common. */
final class Calls {
  private Calls() {}

  /** The call's future; a failed one where the call throws, so that failures come one way. */
  static <T> Future<T> answered(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  static void requireAddress(String address) {
    if (Checks.notNull("address", address).isBlank()) {
      throw new IllegalArgumentException("address is blank, allowed is any other text");
    }
  }
}
