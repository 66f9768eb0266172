package dev.weir.bench.eventbus;

import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.internal.ContextInternal;

/** Requests and their replies: the body itself, or the boolean true. */
final class RequestLane extends Lane {
  private final EventBus bus;
  private final String address;
  private final boolean twoWay;
  private final String handler;

  /**
   * Starts the receiving end.
   *
   * @param address also the name of the service
   * @param twoWay whether the reply is the body
   * @param backEnd as for {@link RequestPath#open}
   */
  RequestLane(
      Stage stage,
      ContextInternal sender,
      ContextInternal receiver,
      RequestPath path,
      String address,
      Bodies bodies,
      boolean twoWay,
      BackEnd backEnd)
      throws InterruptedException {
    super(sender, bodies);
    this.bus = stage.bus();
    this.address = address;
    this.twoWay = twoWay;
    this.handler = path.hasPool() ? backEnd.describe() : "replies at once";
    receivedBy(path.open(stage, receiver, address, backEnd, this::handle));
  }

  /** What the receiving end does with a request. */
  String describeHandler() {
    return handler;
  }

  private Object handle(Object body) {
    arrived(body);
    return twoWay ? body : Boolean.TRUE;
  }

  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    Object body = bodies.take(operation);
    bus.<Object>request(address, body)
        .onComplete(
            (reply, failure) -> {
              if (failure != null) {
                sink.onFailure(operation, startTimeNs, failure);
              } else {
                bodies.giveBack(body);
                sink.onReply(operation, startTimeNs, check(operation, reply));
              }
            });
  }

  private Reply check(long operation, Message<Object> reply) {
    Object body = reply.body();
    boolean good = twoWay ? bodies.matches(operation, body) : Boolean.TRUE.equals(body);
    return good ? Reply.OK : Reply.CORRUPT;
  }
}
