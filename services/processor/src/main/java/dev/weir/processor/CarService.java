package dev.weir.processor;

import dev.weir.cluster.ProcessorClient;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The event bus service that sends cars to the primary of a group. A car is the bytes of the
 * group's encoding, or the JSON {@code {"serialNumber":17}} for the sample car of that number. The
 * reply is of the same kind.
 *
 * <p>An idempotency key {@code client-sequence}, two numbers, is passed to the group as client and
 * sequence number. The group then applies the car once, even after a failover, as long as it keeps
 * the reply. The car with the sequence number before must have been applied. One event loop uses
 * this class.
 */
final class CarService implements ServiceHandler<Object> {
  static final String ADDRESS = "cars";
  static final String KEY = "idempotency-key";

  private static final Pattern NUMBERED = Pattern.compile("([1-9]\\d{0,17})-([1-9]\\d{0,17})");
  private static final String SERIAL_NUMBER = "serialNumber";
  private static final long NUMBERED_TIMEOUT_MS = 30_000;

  private final Vertx vertx;
  private final ProcessorClientOptions group;
  private final ProcessorClient unnumbered;
  private final CarRequests requests;

  /**
   * @param group name and members of the group; its client number is ignored
   */
  CarService(Vertx vertx, ProcessorClientOptions group, Encoding encoding) {
    this.vertx = vertx;
    this.group = group;
    this.unnumbered = ProcessorClient.create(vertx, group);
    this.requests = new CarRequests(encoding, false);
  }

  @Override
  public Future<?> handle(ServiceMessage<Object> message) {
    String key = message.headers().get(KEY);
    if (message.body() instanceof Buffer car) {
      return send(key, car);
    }
    if (message.body() instanceof JsonObject json
        && json.getValue(SERIAL_NUMBER) instanceof Number number
        && number.longValue() > 0) {
      return send(key, encode(number.longValue())).map(reply -> decode(number.longValue(), reply));
    }
    return Future.failedFuture(refusal("a car must be bytes, or JSON with a serialNumber above 0"));
  }

  private Buffer encode(long serialNumber) {
    ByteBuffer room = ByteBuffer.allocate(CarCodec.MAX_BYTES);
    int bytes = requests.encode(serialNumber, room, 0);
    return Buffer.buffer(bytes).appendBytes(room.array(), 0, bytes);
  }

  private JsonObject decode(long serialNumber, Buffer reply) {
    return new JsonObject()
        .put(SERIAL_NUMBER, serialNumber)
        .put("odometer", requests.odometer(ByteBuffer.wrap(reply.getBytes()), 0));
  }

  private Future<Buffer> send(String key, Buffer car) {
    Matcher numbered = NUMBERED.matcher(key == null ? "" : key);
    Future<Buffer> reply =
        numbered.matches()
            ? sendAs(Long.parseLong(numbered.group(1)), Long.parseLong(numbered.group(2)), car)
            : unnumbered.send(car);
    return reply.compose(
        bytes ->
            bytes.length() == 0
                ? Future.failedFuture(refusal("the bytes are not a car of the group's encoding"))
                : Future.succeededFuture(bytes));
  }

  /** Sends one car by a client of its own, because only the sender knows the next number. */
  private Future<Buffer> sendAs(long clientId, long sequence, Buffer car) {
    ProcessorClient client =
        ProcessorClient.create(
            vertx,
            new ProcessorClientOptions(group).setClientId(clientId).setFirstSequence(sequence));
    return client
        .send(car)
        .timeout(NUMBERED_TIMEOUT_MS, TimeUnit.MILLISECONDS)
        .onComplete(done -> client.close());
  }

  private static ReplyException refusal(String text) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, FlowFailure.BAD_REQUEST.code(), text);
  }

  Future<Void> close() {
    return unnumbered.close();
  }
}
