package dev.weir.flow.remote;

import dev.weir.flow.RemoteConsumer;
import dev.weir.flow.RemoteConsumerOptions;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.vertx.Contexts;
import io.vertx.core.Closeable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The consumers of one Weir. Any thread. */
public final class OpenConsumers {
  private final Vertx vertx;

  /** Guarded by this. */
  private final Set<BusConsumer> open = new HashSet<>();

  private final Closeable closeHook = done -> close().onComplete(done);

  /** Null before the first call of close. */
  private Future<Void> closed;

  public OpenConsumers(Vertx vertx) {
    this.vertx = vertx;
    Contexts.addCloseHook(vertx, closeHook);
  }

  /**
   * @throws IllegalStateException after {@link #close()}
   */
  public synchronized Future<RemoteConsumer> open(
      String address, RemoteConsumerOptions options, ServiceHandler<Object> handler) {
    if (closed != null) {
      throw new IllegalStateException("this Weir is closed");
    }
    Context caller = Contexts.caller(vertx);
    Context context =
        caller != null && caller.isEventLoopContext() ? caller : Contexts.newEventLoop(vertx);
    BusConsumer consumer = new BusConsumer(context, address, options, handler);
    open.add(consumer);
    Contexts.closeWith(caller, consumer::close, consumer.ended());
    consumer.ended().onComplete(ignored -> forget(consumer));
    return consumer.open();
  }

  private synchronized void forget(BusConsumer consumer) {
    open.remove(consumer);
  }

  /** Closes all; a second call gives the same result. */
  public synchronized Future<Void> close() {
    if (closed == null) {
      List<Future<Void>> closing = open.stream().map(BusConsumer::close).toList();
      closed =
          Future.join(closing)
              .<Void>transform(
                  done -> {
                    Contexts.removeCloseHook(vertx, closeHook);
                    return Future.succeededFuture();
                  });
    }
    return closed;
  }
}
