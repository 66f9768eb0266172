package dev.weir.flow;

import io.vertx.core.Future;
import java.util.List;

/**
 * What a service does with several messages at once, such as one statement for many rows.
 *
 * @param <T> the bodies' type
 */
@FunctionalInterface
public interface BatchHandler<T> {
  /**
   * Handles messages; the worker of each is busy until the future completes. A failure fails all of
   * them, as that of a {@link ServiceHandler} does.
   *
   * @param messages in the order in which they were started, at least one; not to be changed
   * @return null in it for no replies; or a list with a reply for each message, in their order,
   *     where a {@link Throwable} fails its message alone. Any other result fails all.
   */
  Future<? extends List<?>> handle(List<ServiceMessage<T>> messages);
}
