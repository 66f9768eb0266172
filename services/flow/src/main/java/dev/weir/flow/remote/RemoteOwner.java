package dev.weir.flow.remote;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.RemoteConsumerStats;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import dev.weir.flow.impl.Bodies;
import dev.weir.flow.impl.CreditHandler;
import dev.weir.flow.impl.ForwardedMessage;
import dev.weir.flow.vertx.BusMessages;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of a service whose consumers are elsewhere: hands each message on to one of them, and
 * waits for its answer. A message whose consumer is gone goes to the next one. All of it runs on
 * the event loop of the service.
 */
public final class RemoteOwner implements CreditHandler {
  /** After the end of a lease this part of it passes until the consumer is lost. */
  private static final int LOOKS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(RemoteOwner.class);

  private final Vertx vertx;
  private final EventBus bus;
  private final String address;
  private final String own;
  private final Consumers consumers = new Consumers();
  private final List<MessageConsumer<Object>> listening = new ArrayList<>();

  /** Names of codecs, with the classes of bodies that they have written. */
  private final Set<String> writable = new HashSet<>();

  /** Null before {@link #open}. */
  private IntConsumer credits;

  /** What {@link #credits} was told last. */
  private int told;

  private long lastOrder;
  private boolean closed;

  public RemoteOwner(Vertx vertx, String address) {
    this.vertx = vertx;
    this.bus = vertx.eventBus();
    this.address = address;
    this.own = Protocol.unique(address, "owner");
  }

  @Override
  public Future<Void> open(IntConsumer credits) {
    this.credits = credits;
    // A verticle's consumers and timers end before its services have drained.
    Contexts.dispatch(
        Contexts.newBeside(Contexts.current()),
        null,
        ignored -> {
          listening.add(bus.consumer(own, this::onOwn));
          listening.add(bus.consumer(Protocol.hello(address), this::onHello));
        });
    return Future.all(listening.stream().map(MessageConsumer::completion).toList()).mapEmpty();
  }

  @Override
  public Future<Void> close() {
    closed = true;
    return Future.join(listening.stream().map(MessageConsumer::unregister).toList()).mapEmpty();
  }

  @Override
  public List<RemoteConsumerStats> consumers() {
    return consumers.stats();
  }

  // ---- messages

  @Override
  public Future<?> handle(ServiceMessage<Object> message) {
    OutMessage out = new OutMessage((ForwardedMessage) message, lastOrder++);
    try {
      requireWritable(out.message);
    } catch (Throwable e) {
      return Future.failedFuture(unwritable(e));
    }
    consumers.await(out);
    deliver();
    return out.result.future();
  }

  /** A codec may bring another class than it writes; the bus would tell nobody. */
  private void requireWritable(ForwardedMessage message) {
    MessageCodec<Object, Object> codec = message.codec();
    Object body = message.body();
    if (vertx.isClustered() && codec.systemCodecID() == -1 && body != null) {
      String known = codec.name() + "/" + body.getClass().getName();
      if (!writable.contains(known)) {
        codec.encodeToWire(Buffer.buffer(), body);
        writable.add(known);
      }
    }
  }

  private static Throwable unwritable(Throwable cause) {
    return Protocol.refusal("the body cannot be handed on to a consumer", cause);
  }

  private void deliver() {
    for (OutMessage out = consumers.assign(); out != null; out = consumers.assign()) {
      if (out.sendings > 1 && out.message.isGivenUp()) {
        out.at.take(out.number);
        out.result.fail(
            Protocol.failure(FlowFailure.DROPPED, "its requester does not wait any more"));
      } else {
        send(out);
      }
    }
  }

  private void send(OutMessage out) {
    KnownConsumer to = out.at;
    long number = out.number;
    try {
      bus.sender(to.address, Protocol.message(own, out))
          .write(out.message.body())
          .onFailure(unreachable -> back(to, number));
    } catch (Throwable e) {
      to.take(number);
      out.result.fail(unwritable(e));
    }
  }

  /** A consumer did not get a message, or does not want it: another one gets it. */
  private void back(KnownConsumer consumer, long number) {
    OutMessage out = consumer.take(number);
    if (out != null) {
      consumer.block();
      consumers.await(out);
      moved();
    }
  }

  /** Consumers, their credits or messages without a consumer have changed. */
  private void moved() {
    if (!closed) {
      deliver();
      int limit = consumers.limit();
      if (limit != told) {
        told = limit;
        credits.accept(limit);
      }
    }
  }

  // ---- consumers

  private void onHello(Message<Object> hello) {
    if (hello.body() instanceof String consumer && consumer.startsWith(Protocol.PREFIX)) {
      KnownConsumer known = consumers.find(consumer);
      if (known != null && !known.isSilent(System.nanoTime())) {
        return;
      }
      bus.send(consumer, null, Protocol.options(Protocol.INVITE).addHeader(Protocol.OWNER, own));
    }
  }

  private void onOwn(Message<Object> message) {
    String kind = message.headers().get(Protocol.KIND);
    if (Protocol.ANSWER.equals(kind)) {
      answered(message);
    } else if (Protocol.RENEWAL.equals(kind)) {
      renewed(message);
    }
  }

  private void renewed(Message<Object> message) {
    Protocol.Renewal renewal;
    try {
      renewal = Protocol.Renewal.of((JsonObject) message.body());
    } catch (RuntimeException e) {
      message.fail(FlowFailure.BAD_REQUEST.code(), "no renewal of a consumer: " + e);
      return;
    }
    KnownConsumer consumer = consumers.find(renewal.consumer());
    if (renewal.leaving()) {
      if (consumer != null) {
        consumers.leave(consumer).forEach(consumers::await);
        LOG.info("service {}: consumer {} has left", address, consumer.name());
      }
    } else if (consumer == null) {
      KnownConsumer joined = consumers.join(renewal, System.nanoTime());
      watch(joined, joined.leaseNs(), false);
      LOG.info(
          "service {}: consumer {} takes {} messages at once",
          address,
          joined.name(),
          renewal.credits());
    } else {
      consumer
          .renew(renewal, System.nanoTime())
          .forEach(out -> lost(out, "did not arrive at consumer " + consumer.name()));
    }
    message.reply(consumers.lastNumber());
    moved();
  }

  private void watch(KnownConsumer consumer, long forNs, boolean again) {
    long dueNs = System.nanoTime() + forNs;
    vertx.setTimer(
        forNs / 1_000_000 + 1,
        ignored ->
            check(consumer, again && System.nanoTime() - dueNs < consumer.leaseNs() / LOOKS));
  }

  /**
   * @param sure whether its lease was over some time ago already, and this process did not stand
   *     still meanwhile: there may be renewals that were not read yet
   */
  private void check(KnownConsumer consumer, boolean sure) {
    if (closed || consumers.find(consumer.address) != consumer) {
      return;
    }
    long leftNs = consumer.deadlineNs - System.nanoTime();
    if (leftNs > 0) {
      watch(consumer, leftNs, false);
    } else if (!sure) {
      watch(consumer, consumer.leaseNs() / LOOKS, true);
    } else {
      LOG.warn("service {}: consumer {} is lost: no renewal in time", address, consumer.name());
      consumers
          .leave(consumer)
          .forEach(out -> lost(out, "consumer " + consumer.name() + " was lost with it"));
      moved();
    }
  }

  /** A consumer may have handled a message, and nobody knows. */
  private void lost(OutMessage out, String how) {
    if (out.countLoss()) {
      out.result.fail(new ConsumerFailure(how + ", as others were before"));
    } else {
      consumers.await(out);
    }
  }

  // ---- answers

  private void answered(Message<Object> message) {
    MultiMap headers = message.headers();
    KnownConsumer consumer = consumers.find(String.valueOf(headers.get(Protocol.CONSUMER)));
    long number = number(headers);
    if (consumer == null || number < 0) {
      return;
    }
    String outcome = headers.get(Protocol.OUTCOME);
    if (Protocol.BACK.equals(outcome)) {
      back(consumer, number);
      return;
    }
    OutMessage out = consumer.take(number);
    if (out == null || consumer.isBlocked()) {
      moved();
    } else {
      deliver();
    }
    if (out == null) {
      return;
    }
    consumer.countAnswer();
    if (Protocol.HANDLED.equals(outcome)) {
      reply(out, message);
    } else {
      out.result.fail(failureOf(headers));
    }
  }

  private static long number(MultiMap headers) {
    try {
      return Long.parseLong(headers.get(Protocol.NUMBER));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static Throwable failureOf(MultiMap headers) {
    String text = String.valueOf(headers.get(Protocol.TEXT));
    String code = headers.get(Protocol.CODE);
    try {
      return code == null
          ? new ConsumerFailure(text)
          : new ReplyException(ReplyFailure.RECIPIENT_FAILURE, Integer.parseInt(code), text);
    } catch (NumberFormatException e) {
      // It ends the message all the same, whose worker would not become free otherwise.
      return new ConsumerFailure(text);
    }
  }

  private static void reply(OutMessage out, Message<Object> answer) {
    if (!out.message.isRequest()) {
      out.result.complete();
    } else if (Bodies.isSerialized(answer)) {
      out.result.fail(new ConsumerFailure(Bodies.NO_SERIALIZATION));
    } else {
      Object body;
      try {
        body = answer.body();
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        out.result.fail(new ConsumerFailure("the reply cannot be decoded: " + UserFailure.text(e)));
        return;
      }
      DeliveryOptions options = new DeliveryOptions();
      Protocol.own(answer.headers()).forEach(options::addHeader);
      out.result.complete(
          new ServiceReply(body, Protocol.codec(options, BusMessages.codec(answer))));
    }
  }
}
