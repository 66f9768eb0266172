package dev.weir.flow.impl;

import dev.weir.flow.RemoteConsumerStats;
import dev.weir.flow.ServiceHandler;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * A handler that says how many messages it can take at the moment; none before it is opened. Gets a
 * {@link ForwardedMessage} each time, on the event loop of its service, where all its methods are
 * called if not said otherwise.
 */
public interface CreditHandler extends ServiceHandler<Object> {
  /**
   * The service takes messages from now on.
   *
   * @param credits told how many messages may be in handling at once, whenever that changes
   */
  Future<Void> open(IntConsumer credits);

  /** The service is closed; what is in handling ends without a result. */
  Future<Void> close();

  /** Who has given the credits; any thread. */
  List<RemoteConsumerStats> consumers();
}
