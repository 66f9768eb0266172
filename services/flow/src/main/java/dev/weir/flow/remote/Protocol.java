package dev.weir.flow.remote;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.RemoteConsumerOptions;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.impl.ForwardedMessage;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What owner and consumers of a service tell each other over the bus:
 *
 * <pre>
 * consumer                         owner
 *    | -- hello (published) --------> |   I am there; at the start, and as often as it renews
 *    | &lt;------------------- invite -- |   to a consumer that it does not know
 *    | -- renewal (request) --------> |   my credits, my lease, and the messages that I have
 *    | &lt;------------------ message -- |
 *    | -- answer -------------------> |   a reply, a failure, or: take it back
 * </pre>
 *
 * Owner and consumer each have an address of their own, which ends with them.
 */
final class Protocol {
  static final String PREFIX = "weir.remote/";

  /** The header that says what a message is. */
  static final String KIND = "weir-remote";

  static final String INVITE = "invite";
  static final String MESSAGE = "message";
  static final String RENEWAL = "renewal";
  static final String ANSWER = "answer";

  /** The address of the owner, of an invitation and a message. */
  static final String OWNER = "weir-remote-owner";

  /** The address of the consumer, of an answer. */
  static final String CONSUMER = "weir-remote-consumer";

  /** Of a message and its answer: the owner uses each number once. */
  static final String NUMBER = "weir-remote-number";

  private static final String DELIVERY = "weir-remote-delivery";
  private static final String ID = "weir-remote-id";
  private static final String NAMED = "weir-remote-named";
  private static final String GIVEN_KEY = "weir-remote-key";

  /** Of a message that is a request. */
  static final String REQUEST = "weir-remote-request";

  /** Of an answer: what became of the message. */
  static final String OUTCOME = "weir-remote-outcome";

  static final String HANDLED = "handled";
  static final String FAILED = "failed";

  /** Not taken, or given back: for another consumer. */
  static final String BACK = "back";

  /** Of a failure: its code, if it has one of its own. */
  static final String CODE = "weir-remote-code";

  /** Of a failure. */
  static final String TEXT = "weir-remote-text";

  private Protocol() {}

  /** Where the owners of a service hear of consumers. */
  static String hello(String address) {
    return PREFIX + address;
  }

  /** An address that is used once, of an owner or a consumer. */
  static String unique(String address, String role) {
    return PREFIX + address + "/" + role + "-" + UUID.randomUUID();
  }

  static DeliveryOptions options(String kind) {
    // They are not part of any message's trace.
    return new DeliveryOptions().setTracingPolicy(TracingPolicy.IGNORE).addHeader(KIND, kind);
  }

  /** With the name of the codec that the body needs, if the bus does not know it by the class. */
  static DeliveryOptions codec(DeliveryOptions options, MessageCodec<?, ?> codec) {
    return codec.systemCodecID() == -1 ? options.setCodecName(codec.name()) : options;
  }

  static ReplyException failure(FlowFailure failure, String text) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, failure.code(), text);
  }

  /** Why a body cannot travel; a heap without room says nothing about it, so it is tried again. */
  static Throwable refusal(String what, Throwable cause) {
    HeapExhaustion.report(cause);
    return HeapExhaustion.isCause(cause)
        ? cause
        : failure(FlowFailure.BAD_REQUEST, what + ": " + UserFailure.message(cause));
  }

  // ---- a message

  /** How an owner hands on a message. */
  static DeliveryOptions message(String owner, OutMessage out) {
    ForwardedMessage message = out.message;
    DeliveryOptions options = new DeliveryOptions();
    message.headers().forEach(options::addHeader);
    options
        .addHeader(KIND, MESSAGE)
        .addHeader(OWNER, owner)
        .addHeader(NUMBER, Long.toString(out.number))
        .addHeader(DELIVERY, Integer.toString(out.deliveryCount()));
    add(options, ID, message.id());
    add(options, GIVEN_KEY, message.key());
    add(options, NAMED, message.isNamed() ? "" : null);
    add(options, REQUEST, message.isRequest() ? "" : null);
    return codec(options, message.codec());
  }

  private static void add(DeliveryOptions options, String header, String value) {
    if (value != null) {
      options.addHeader(header, value);
    }
  }

  /** The headers of the user. */
  static MultiMap own(MultiMap headers) {
    MultiMap own = MultiMap.caseInsensitiveMultiMap();
    headers.forEach(
        (name, value) -> {
          if (!name.regionMatches(true, 0, KIND, 0, KIND.length())) {
            own.add(name, value);
          }
        });
    return own;
  }

  /** A message as the handler of a consumer sees it. */
  record Handed(
      String address,
      Object body,
      MultiMap headers,
      boolean isRequest,
      int deliveryCount,
      String id,
      boolean isNamed,
      String key)
      implements ServiceMessage<Object> {

    static Handed of(String address, Object body, MultiMap headers) {
      return new Handed(
          address,
          body,
          own(headers),
          headers.contains(REQUEST),
          Integer.parseInt(headers.get(DELIVERY)),
          headers.get(ID),
          headers.contains(NAMED),
          headers.get(GIVEN_KEY));
    }
  }

  // ---- an answer

  static DeliveryOptions answer(DeliveryOptions options, String consumer, String number) {
    return options
        .setTracingPolicy(TracingPolicy.IGNORE)
        .addHeader(KIND, ANSWER)
        .addHeader(CONSUMER, consumer)
        .addHeader(NUMBER, number);
  }

  // ---- a renewal

  /**
   * What a consumer says again and again.
   *
   * @param name for people
   * @param credits how many messages of this owner it takes at once
   * @param leaseMs for how long this holds without another renewal
   * @param held the numbers of the messages of this owner that it has
   * @param upTo the number that the owner's last reply to a renewal had: messages up to this one
   *     came before the reply, and are held or answered unless they were lost
   * @param leaving whether it is the last one
   */
  record Renewal(
      String consumer,
      String name,
      int credits,
      long leaseMs,
      Set<Long> held,
      long upTo,
      boolean leaving) {

    JsonObject toJson() {
      JsonArray numbers = new JsonArray();
      held.forEach(numbers::add);
      return new JsonObject()
          .put("consumer", consumer)
          .put("name", name)
          .put("credits", credits)
          .put("leaseMs", leaseMs)
          .put("held", numbers)
          .put("upTo", upTo)
          .put("leaving", leaving);
    }

    /**
     * @throws RuntimeException if the object is not one that {@link #toJson} makes
     */
    static Renewal of(JsonObject json) {
      Set<Long> held = new HashSet<>();
      Collection<?> numbers = json.getJsonArray("held").getList();
      numbers.forEach(number -> held.add(((Number) number).longValue()));
      return new Renewal(
          json.getString("consumer").toString(),
          json.getString("name"),
          Math.max(0, json.getInteger("credits")),
          Math.min(RemoteConsumerOptions.MAX_LEASE_MS, Math.max(1, json.getLong("leaseMs"))),
          held,
          json.getLong("upTo"),
          json.getBoolean("leaving"));
    }
  }
}
