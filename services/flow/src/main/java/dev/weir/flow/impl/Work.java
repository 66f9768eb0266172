package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import dev.weir.flow.pool.Timing;
import dev.weir.flow.vertx.BusMessages;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.Delivery;
import dev.weir.queue.DurableQueue;
import io.vertx.core.Completable;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/**
 * A message on its way through a service: from the bus, or back from the disk tier. It is also what
 * listens to its handler's future, so that handling it costs no further object.
 */
abstract class Work implements ForwardedMessage, Completable<Object> {
  /** Shared, so nobody changes it. */
  private static final DeliveryOptions DEFAULTS = new DeliveryOptions();

  final Manager manager;

  /** The context its handler runs in: one of its own on the service's event loop. */
  final Context context;

  /** Null if it is not timed. */
  final Timing timing;

  /** The neighbours in the list of {@link InHandling}, or null. */
  Work previous;

  Work next;

  /** True once the requester has an answer, which closing the service may have given. */
  private boolean answered;

  private Work(Manager manager, Context context, Timing timing) {
    this.manager = manager;
    this.context = context;
    this.timing = timing;
  }

  @Override
  public final String address() {
    return manager.address();
  }

  @Override
  public final void complete(Object result, Throwable failure) {
    manager.completed(this, result, failure);
  }

  /** Sends a reply; called for requests only. */
  public abstract void reply(Object body, DeliveryOptions options);

  /** Fails the requester, if there is one and it has no answer yet. */
  public final void fail(FlowFailure failure, String text) {
    fail(Failures.exception(failure, text));
  }

  private void fail(ReplyException failure) {
    if (isRequest() && !answered) {
      answered = true;
      reply(failure, null);
    }
  }

  /** Tells the requester, if there is one, what the handler said; false if that was impossible. */
  final boolean answer(Object result) {
    if (!isRequest() || answered) {
      return true;
    }
    try {
      if (result instanceof ServiceReply reply) {
        checkedReply(reply.body(), reply.options());
      } else {
        checkedReply(result, null);
      }
      answered = true;
      return true;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      // No codec for the result, most likely: the requester must not wait for its timeout.
      fail(new HandlerException(Bodies.unsendable(result, e), e));
      return false;
    }
  }

  private void checkedReply(Object body, DeliveryOptions options) {
    Bodies.requireCodec(
        context.owner().eventBus(), body, options == null ? null : options.getCodecName());
    reply(body, options);
  }

  /** Tells the requester, if there is one, why the handler failed. */
  final void answer(Throwable cause) {
    if (!isRequest()) {
      MessageLog.failed(this, "handler failed", cause);
    } else if (cause instanceof ReplyException failure) {
      fail(
          new ReplyException(
              ReplyFailure.RECIPIENT_FAILURE, failure.failureCode(), UserFailure.message(failure)));
    } else {
      fail(new HandlerException(UserFailure.text(cause), cause));
    }
  }

  /** A message that came from the bus and was never on disk. */
  static final class Direct extends Work implements Requester {
    final Message<?> message;
    final long bytes;

    /** 0 for a message that starts on arrival. */
    private final long deadlineNs;

    Direct(
        Manager manager,
        Context context,
        Message<?> message,
        Timing timing,
        long bytes,
        long deadlineNs) {
      super(manager, context, timing);
      this.message = message;
      this.bytes = bytes;
      this.deadlineNs = deadlineNs;
    }

    @Override
    public String localAddress() {
      return Requester.localAddress(message);
    }

    @Override
    public long deadlineNs() {
      return deadlineNs;
    }

    @Override
    public MessageCodec<Object, Object> codec() {
      return BusMessages.codec(message);
    }

    @Override
    public boolean isGivenUp() {
      return isRequest() && manager.late.isGone(this);
    }

    @Override
    public Object body() {
      return message.body();
    }

    @Override
    public MultiMap headers() {
      return message.headers();
    }

    @Override
    public boolean isRequest() {
      return message.replyAddress() != null;
    }

    @Override
    public int deliveryCount() {
      return 1;
    }

    @Override
    public String id() {
      return null;
    }

    @Override
    public void reply(Object body, DeliveryOptions options) {
      message.reply(body, options == null ? DEFAULTS : options);
    }
  }

  /** A message from the disk tier. */
  static final class Stored extends Work {
    final Delivery<Envelope> delivery;

    /** What it holds of the heap, an estimate. */
    final long bytes;

    private final Object body;
    private MultiMap headers;

    Stored(Manager manager, Context context, Delivery<Envelope> delivery, Timing timing) {
      super(manager, context, timing);
      this.delivery = delivery;
      // A request is delivered once; anything else must be found unchanged by the next attempt.
      this.body = isRequest() ? delivery.message().decodeBody() : delivery.message().copyBody();
      this.bytes = delivery.message().memoryBytes();
    }

    /** Removes it from its queue, leaves it there to be tried again, or gives it up. */
    void settle(DurableQueue<Envelope> queue, boolean succeeded, Throwable failure) {
      if (succeeded || isRequest()) {
        queue.acknowledge(delivery);
      } else if (isRefused(failure) || delivery.failures() + 1 >= maxAttempts()) {
        queue.reject(delivery, UserFailure.text(failure));
      } else {
        queue.fail(delivery, UserFailure.text(failure));
      }
    }

    private static boolean isRefused(Throwable failure) {
      return failure instanceof ReplyException refused
          && refused.failureCode() == FlowFailure.BAD_REQUEST.code();
    }

    /** Of this message alone; the queue knows that of all. */
    private int maxAttempts() {
      String text = headers().get(ServiceMessage.MAX_ATTEMPTS);
      return text == null ? Integer.MAX_VALUE : SendHeaders.attempts(text);
    }

    @Override
    public MessageCodec<Object, Object> codec() {
      return delivery.message().codec;
    }

    @Override
    public boolean isGivenUp() {
      return delivery.attachment() instanceof Requester requester && manager.late.isGone(requester);
    }

    @Override
    public Object body() {
      return body;
    }

    @Override
    public MultiMap headers() {
      if (headers == null) {
        headers = delivery.message().decodeHeaders();
      }
      return headers;
    }

    @Override
    public boolean isRequest() {
      return delivery.attachment() != null;
    }

    @Override
    public int deliveryCount() {
      return delivery.deliveryCount();
    }

    @Override
    public String id() {
      return DurableSends.idOf(address(), delivery);
    }

    @Override
    public boolean isNamed() {
      return delivery.messageOptions().id() != null;
    }

    @Override
    public String key() {
      String given = delivery.messageOptions().key();
      return given == null ? super.key() : given;
    }

    @Override
    public void reply(Object result, DeliveryOptions options) {
      ((Requester) delivery.attachment()).reply(result, options);
    }
  }
}
