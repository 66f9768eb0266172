package dev.weir.group.call;

import static dev.weir.queue.MessageOptions.MAX_TEXT_CHARS;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.cluster.RequestTimeoutException;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceReply;
import dev.weir.group.GroupMessage;
import dev.weir.group.trace.GroupTracing;
import dev.weir.group.wire.GroupReply;
import dev.weir.group.wire.GroupRequest;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The handler of the service of a group on one member: sends each message to the primary. */
public final class GroupCalls implements ServiceHandler<Object> {
  private static final long MAX_MARGIN_MS = 500;
  private static final long MAX_TIMEOUT_MS = TimeUnit.DAYS.toMillis(1);

  private final ShardClients clients;
  private final GroupReads reads;
  private final int maxMessageBytes;
  private final boolean remembersIds;

  /** Null without a tracer. */
  private final GroupTracing tracing;

  /**
   * @param maxMessageBytes of the group
   * @param remembersIds whether the group applies requests of one id once, by the options of this
   *     member; the primary goes by its own
   * @param tracing null without a tracer
   */
  public GroupCalls(
      ShardClients clients,
      GroupReads reads,
      int maxMessageBytes,
      boolean remembersIds,
      GroupTracing tracing) {
    this.clients = clients;
    this.reads = reads;
    this.maxMessageBytes = maxMessageBytes;
    this.remembersIds = remembersIds;
    this.tracing = tracing;
  }

  @Override
  public Future<?> handle(ServiceMessage<Object> message) {
    String id;
    Long maxAgeMs;
    try {
      id = id(message);
      maxAgeMs = maxAgeMs(message);
    } catch (IllegalArgumentException e) {
      return failed(FlowFailure.BAD_REQUEST, e.getMessage());
    }
    // A durable message waits here for the group, and the others behind it on disk.
    long timeoutMs = message.isRequest() ? timeoutMs(message) : 0;
    return send(id, message.key(), message.body(), maxAgeMs, timeoutMs);
  }

  @Override
  public boolean answersRepeats() {
    return remembersIds;
  }

  /**
   * Sends a message to the primary of the shard of its key.
   *
   * @param id the sender's name for the message; null for none
   * @param maxAgeMs how old what it reads may be; null if it is no read
   * @param timeoutMs for how long it waits for the reply; 0 for no limit, if it is no read: then it
   *     is only to be applied, and may complete without a reply
   * @return the body of the reply; fails with a {@link ReplyException}
   */
  public Future<?> send(String id, String key, Object body, Long maxAgeMs, long timeoutMs) {
    Buffer request;
    int shard;
    try {
      request = GroupRequest.encode(id, key, body);
      shard = shard(key);
    } catch (IllegalArgumentException e) {
      return failed(FlowFailure.BAD_REQUEST, e.getMessage());
    }
    if (request.length() > maxMessageBytes) {
      return failed(
          FlowFailure.TOO_LARGE,
          "a message has " + request.length() + " bytes, the group allows " + maxMessageBytes);
    }
    if (maxAgeMs != null) {
      return reads
          .read(shard, request, maxAgeMs, timeoutMs)
          .transform(read -> readAnswer(read, maxAgeMs));
    }
    if (timeoutMs > 0 && clients.isClogged(shard)) {
      return failed(
          FlowFailure.NO_PRIMARY,
          "half of the workers wait for shard " + shard + ", which does not answer");
    }
    return tracing == null
        ? send(shard, request, timeoutMs, Map.of())
        : tracing.send(
            clients.layout().name(shard), id, trace -> send(shard, request, timeoutMs, trace));
  }

  private Future<Object> send(
      int shard, Buffer request, long timeoutMs, Map<String, String> trace) {
    Buffer traced = GroupRequest.withTrace(request, trace);
    // A message that is just small enough goes without its trace.
    Future<Object> reply =
        clients
            .send(shard, traced.length() > maxMessageBytes ? request : traced, timeoutMs)
            .transform(GroupCalls::answer);
    return timeoutMs == 0 ? GroupReply.applied(reply) : reply;
  }

  /** How old what a request reads may be; null if the request is no read. */
  private static Long maxAgeMs(ServiceMessage<?> message) {
    String text = message.headers().get(GroupMessage.READ);
    if (text == null) {
      return null;
    }
    if (!text.matches("[0-9]{1,9}") || !message.isRequest()) {
      throw new IllegalArgumentException(
          GroupMessage.READ + " is " + text + ", allowed is 0 to 999999999, of a request");
    }
    return Long.valueOf(text);
  }

  private static Future<Object> readAnswer(AsyncResult<GroupReads.Answer> read, long maxAgeMs) {
    if (read.failed()) {
      return Future.failedFuture(read.cause());
    }
    DeliveryOptions age =
        new DeliveryOptions().addHeader(GroupMessage.AGE_MS, "" + read.result().ageMs());
    return answer(Future.succeededFuture(read.result().reply()))
        .map(body -> maxAgeMs == 0 ? body : new ServiceReply(body, age));
  }

  private int shard(String key) {
    int shards = clients.layout().shards();
    if (key == null && shards > 1) {
      throw new IllegalArgumentException(
          "the header "
              + ServiceMessage.KEY
              + " is missing: "
              + clients.layout().address()
              + " has "
              + shards
              + " shards, and the key says which one");
    }
    return clients.layout().shardOf(key);
  }

  /**
   * The sender's name for the message; null if it gave none. A name by the place in a queue is no
   * name: another member's message may have the same.
   */
  private static String id(ServiceMessage<?> message) {
    String id = message.headers().get(ServiceMessage.MESSAGE_ID);
    if (id == null && message.isNamed()) {
      id = message.id();
    }
    if (id != null && (id.isEmpty() || id.length() > MAX_TEXT_CHARS)) {
      throw new IllegalArgumentException(
          ServiceMessage.MESSAGE_ID
              + " has "
              + id.length()
              + " characters, allowed is 1 to "
              + MAX_TEXT_CHARS);
    }
    return id;
  }

  /** A little less than its sender waits, so that the sender is told why there is no reply. */
  private static long timeoutMs(ServiceMessage<?> message) {
    long senderMs = senderMs(message);
    return senderMs - Math.min(MAX_MARGIN_MS, senderMs / 4);
  }

  private static long senderMs(ServiceMessage<?> message) {
    String text = message.headers().get(ServiceMessage.TIMEOUT_MS);
    try {
      return text == null
          ? DeliveryOptions.DEFAULT_TIMEOUT
          : Math.min(MAX_TIMEOUT_MS, Math.max(1, Long.parseLong(text.trim())));
    } catch (NumberFormatException e) {
      return DeliveryOptions.DEFAULT_TIMEOUT;
    }
  }

  /**
   * The body of a reply of the primary.
   *
   * @return fails with a {@link ReplyException} if there is none, or it is a refusal
   */
  public static Future<Object> answer(AsyncResult<Buffer> reply) {
    if (reply.failed()) {
      return failed(reply.cause());
    }
    if (reply.result().length() == 0) {
      return failed(FlowFailure.UNCERTAIN, "the sender had given up");
    }
    GroupReply answer = GroupReply.decode(reply.result());
    return answer.reason() == null
        ? Future.succeededFuture(answer.body())
        : failed(answer.code(), answer.reason());
  }

  private static Future<Object> failed(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    if (cause instanceof RequestTimeoutException late) {
      return failed(code(late), text);
    }
    return failed(
        cause instanceof RequestRefusedException refused
            ? code(refused.result())
            : FlowFailure.UNCERTAIN,
        text);
  }

  private static FlowFailure code(RequestTimeoutException late) {
    if (late.mayBeApplied()) {
      return FlowFailure.UNCERTAIN;
    }
    return late.lastResult() == OfferResult.UNAVAILABLE
        ? FlowFailure.NOT_IN_SYNC
        : FlowFailure.NO_PRIMARY;
  }

  private static FlowFailure code(OfferResult refusal) {
    return switch (refusal) {
      case REJECTED -> FlowFailure.HANDLER_FAILED;
      case INVALID -> FlowFailure.TOO_LARGE;
      case TOO_MANY_CLIENTS -> FlowFailure.SERVICE_FULL;
      default -> FlowFailure.FORGOTTEN;
    };
  }

  private static Future<Object> failed(FlowFailure failure, String text) {
    return failed(failure.code(), text);
  }

  private static Future<Object> failed(int code, String text) {
    return Future.failedFuture(new ReplyException(ReplyFailure.RECIPIENT_FAILURE, code, text));
  }
}
