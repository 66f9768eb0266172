package dev.weir.flow.impl;

import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Future;

/** Calls a user's handler, which may throw or return nothing. */
public final class HandlerCall {
  private HandlerCall() {}

  /** What the handler returned; a failed future if it threw, or returned null. */
  public static <T> Future<?> of(ServiceHandler<T> handler, ServiceMessage<T> message) {
    Future<?> result;
    try {
      result = handler.handle(message);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      return Future.failedFuture(e);
    }
    return result != null
        ? result
        : Future.failedFuture(new NullPointerException("the handler returned no future"));
  }
}
