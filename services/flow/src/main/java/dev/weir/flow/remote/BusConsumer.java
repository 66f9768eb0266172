package dev.weir.flow.remote;

import dev.weir.flow.RemoteConsumer;
import dev.weir.flow.RemoteConsumerOptions;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import dev.weir.flow.impl.Bodies;
import dev.weir.flow.impl.HandlerCall;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.Checks;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Tells the owners of a service how many messages it takes, handles what they send, and answers.
 * All of it runs on one event loop, if not said otherwise.
 */
final class BusConsumer implements RemoteConsumer {
  /** Signs of life in the time of a lease. */
  private static final int SIGNS = 4;

  /** Of the user: messages come there. It ends before this does, if it is that of a verticle. */
  private final Context context;

  /** On the same event loop. */
  private final Context loop;

  private final EventBus bus;
  private final String address;
  private final RemoteConsumerOptions options;
  private final ServiceHandler<Object> handler;
  private final String own;
  private final long intervalMs;
  private final Map<String, OwnerLink> owners = new HashMap<>();

  /** Null before {@link #open}. */
  private MessageConsumer<Object> consumer;

  private long timer = -1;
  private boolean closing;

  /** Null before it is closed; completes when nothing is in handling. */
  private Promise<Void> drained;

  /** Completes when it is gone. */
  private final Promise<Void> ended = Promise.promise();

  /** Completes when it can be reached, or cannot be opened. */
  private final Promise<RemoteConsumer> opened = Promise.promise();

  private volatile int inHandling;
  private volatile int ownersNow;

  /** Null before the first call of close. */
  private Future<Void> closed;

  BusConsumer(
      Context context,
      String address,
      RemoteConsumerOptions options,
      ServiceHandler<Object> handler) {
    this.context = context;
    this.loop = Contexts.newBeside(context);
    this.bus = context.owner().eventBus();
    this.address = address;
    this.options = new RemoteConsumerOptions(options);
    this.handler = handler;
    this.own = Protocol.unique(address, "consumer");
    this.intervalMs = options.getLeaseMs() / SIGNS;
  }

  /** Any thread. */
  Future<RemoteConsumer> open() {
    context.runOnContext(
        ignored -> {
          consumer = bus.consumer(own, this::onMessage);
          consumer
              .completion()
              .onSuccess(
                  done -> {
                    Contexts.dispatch(
                        loop,
                        null,
                        v -> timer = loop.owner().setPeriodic(intervalMs, tick -> tick()));
                    hello();
                  })
              .onFailure(failure -> ended.tryComplete())
              .<RemoteConsumer>map(this)
              .onComplete(opened);
        });
    return opened.future();
  }

  /** Completes when it is gone; any thread. */
  Future<Void> ended() {
    return ended.future();
  }

  // ---- owners

  private void tick() {
    active().forEach(this::renew);
    if (!closing) {
      hello();
    }
  }

  private void hello() {
    bus.publish(Protocol.hello(address), own, Protocol.options("hello"));
  }

  private List<OwnerLink> active() {
    return owners.values().stream().filter(owner -> !owner.gone).toList();
  }

  private void onInvitation(String owner) {
    if (!closing) {
      renew(link(owner));
    }
  }

  /** An owner that has just been heard of. */
  private OwnerLink link(String owner) {
    OwnerLink link = owners.computeIfAbsent(owner, OwnerLink::new);
    if (link.gone) {
      link.gone = false;
      link.heardNs = System.nanoTime();
    }
    count();
    return link;
  }

  /** A renewal that is under way comes first. */
  private void renew(OwnerLink owner) {
    if (owner.renewal.isComplete()) {
      say(owner, false);
    }
  }

  private Future<Void> say(OwnerLink owner, boolean leaving) {
    Protocol.Renewal renewal =
        new Protocol.Renewal(
            own,
            options.getName(),
            share(owner),
            options.getLeaseMs(),
            owner.held,
            owner.upTo,
            leaving);
    DeliveryOptions request = Protocol.options(Protocol.RENEWAL).setSendTimeout(intervalMs);
    owner.renewal =
        bus.<Long>request(owner.address, renewal.toJson(), request)
            .transform(
                said -> {
                  if (said.succeeded()) {
                    owner.upTo = said.result().body();
                  }
                  heard(owner, said.cause());
                  return Future.succeededFuture();
                });
    return owner.renewal;
  }

  private void heard(OwnerLink owner, Throwable failure) {
    long nowNs = System.nanoTime();
    if (failure == null) {
      owner.heardNs = nowNs;
    } else if (isGone(failure) || nowNs - owner.heardNs > options.getLeaseMs() * 1_000_000) {
      owner.gone = true;
      forgetIfDone(owner);
    }
  }

  private static boolean isGone(Throwable failure) {
    return failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.NO_HANDLERS;
  }

  private void forgetIfDone(OwnerLink owner) {
    if (owner.gone && owner.held.isEmpty()) {
      owners.remove(owner.address, owner);
    }
    count();
  }

  private void count() {
    ownersNow = active().size();
  }

  /**
   * How many messages an owner may send: each gets the same share of what the others do not use.
   */
  private int share(OwnerLink owner) {
    if (closing) {
      return 0;
    }
    int lost = 0;
    for (OwnerLink other : owners.values()) {
      lost += other.gone ? other.held.size() : 0;
    }
    int active = Math.max(1, active().size());
    return Math.max(0, options.getCredits() - lost + active - 1) / active;
  }

  // ---- messages

  private void onMessage(Message<Object> message) {
    MultiMap headers = message.headers();
    String kind = headers.get(Protocol.KIND);
    String owner = headers.get(Protocol.OWNER);
    if (owner == null) {
      // Of no owner, which could not be told anything.
      return;
    }
    if (Protocol.INVITE.equals(kind)) {
      onInvitation(owner);
    } else if (Protocol.MESSAGE.equals(kind)) {
      take(message);
    }
  }

  private void take(Message<Object> message) {
    MultiMap headers = message.headers();
    OwnerLink owner = link(headers.get(Protocol.OWNER));
    String number = headers.get(Protocol.NUMBER);
    if (closing || inHandling >= options.getCredits()) {
      answer(owner, number, Protocol.BACK, null, new DeliveryOptions());
      return;
    }
    Long key = Long.valueOf(number);
    owner.held.add(key);
    inHandling = inHandling + 1;
    boolean request = headers.contains(Protocol.REQUEST);
    Future<?> handled = handle(message);
    if (handled.isComplete()) {
      settle(owner, key, request, handled);
    } else {
      handled.onComplete(
          done -> Contexts.execute(loop, () -> settle(owner, key, request, handled)));
    }
  }

  private Future<?> handle(Message<Object> message) {
    ServiceMessage<Object> handed;
    try {
      if (Bodies.isSerialized(message)) {
        throw new IllegalArgumentException(Bodies.NO_SERIALIZATION);
      }
      handed = Protocol.Handed.of(address, message.body(), message.headers());
    } catch (Throwable e) {
      return Future.failedFuture(Protocol.refusal("the consumer cannot read the message", e));
    }
    return HandlerCall.of(handler, handed);
  }

  private void settle(OwnerLink owner, Long key, boolean request, Future<?> handled) {
    owner.held.remove(key);
    inHandling = inHandling - 1;
    String number = key.toString();
    if (handled.failed()) {
      failed(owner, number, handled.cause());
    } else if (!request) {
      answer(owner, number, Protocol.HANDLED, null, new DeliveryOptions());
    } else {
      reply(owner, number, handled.result());
    }
    forgetIfDone(owner);
    if (drained != null && inHandling == 0) {
      drained.tryComplete();
    }
  }

  private void reply(OwnerLink owner, String number, Object result) {
    Object body = result instanceof ServiceReply reply ? reply.body() : result;
    try {
      DeliveryOptions delivery =
          result instanceof ServiceReply reply
              ? new DeliveryOptions(reply.options())
              : new DeliveryOptions();
      Bodies.requireCodec(bus, body, delivery.getCodecName());
      answer(owner, number, Protocol.HANDLED, body, delivery);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      failed(owner, number, new IllegalStateException(Bodies.unsendable(body, e)));
    }
  }

  private void failed(OwnerLink owner, String number, Throwable cause) {
    DeliveryOptions delivery = new DeliveryOptions();
    if (cause instanceof ReplyException reply) {
      delivery
          .addHeader(Protocol.CODE, Integer.toString(reply.failureCode()))
          .addHeader(Protocol.TEXT, UserFailure.message(reply));
    } else {
      delivery.addHeader(Protocol.TEXT, UserFailure.text(cause));
    }
    answer(owner, number, Protocol.FAILED, null, delivery);
  }

  /** The owner finds out by the next renewals if it does not get this. */
  private void answer(
      OwnerLink owner, String number, String outcome, Object body, DeliveryOptions delivery) {
    bus.send(
        owner.address,
        body,
        Protocol.answer(delivery, own, number).addHeader(Protocol.OUTCOME, outcome));
  }

  // ---- operation

  @Override
  public String address() {
    return address;
  }

  @Override
  public int owners() {
    return ownersNow;
  }

  @Override
  public int inHandling() {
    return inHandling;
  }

  @Override
  public Future<Void> close() {
    return close(options.getDrainTimeoutMs());
  }

  @Override
  public synchronized Future<Void> close(long drainTimeoutMs) {
    Checks.range("drainTimeoutMs", drainTimeoutMs, 0, Long.MAX_VALUE);
    if (closed == null) {
      closed = ended.future();
      opened.future().onComplete(done -> loop.runOnContext(v -> drain(drainTimeoutMs)));
    }
    return closed;
  }

  private void drain(long timeoutMs) {
    closing = true;
    drained = Contexts.promise(loop);
    long timeout =
        timeoutMs == 0 ? -1 : loop.owner().setTimer(timeoutMs, ignored -> drained.tryComplete());
    // Nothing comes after an answer to a renewal without credits.
    tellAll(false)
        .onComplete(
            told -> {
              if (inHandling == 0 || timeoutMs == 0) {
                drained.tryComplete();
              }
            });
    drained
        .future()
        .eventually(
            () -> {
              loop.owner().cancelTimer(timer);
              return tellAll(true);
            })
        .eventually(
            () -> {
              loop.owner().cancelTimer(timeout);
              return consumer.unregister();
            })
        .onComplete(gone -> ended.tryComplete());
  }

  private Future<Void> tellAll(boolean leaving) {
    Stream<Future<Void>> told =
        active().stream().map(owner -> owner.renewal.eventually(() -> say(owner, leaving)));
    return Future.join(told.toList()).mapEmpty();
  }
}
