package dev.weir.gateway.websocket;

import dev.weir.flow.ServiceMessage;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.RequestHeaders;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.util.Map;

/**
 * A request that came over a socket, checked.
 *
 * @param id the client's name for it, a text or a number
 * @param credits 0 for one reply; otherwise the replies it can take at first
 */
record SocketRequest(Object id, Object body, MultiMap headers, long timeoutMs, int credits) {

  /**
   * @throws ProblemException 400
   */
  static SocketRequest of(
      Object id, SocketFrame.Incoming frame, HeaderRules rules, GatewayOptions options) {
    JsonObject head = frame.head();
    if (frame.body() instanceof BigInteger) {
      // The event bus has no codec for it.
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "a body that is a whole number has to fit into 64 bits");
    }
    long timeoutMs = whole(head, "timeoutMs", options.getTimeoutMs(), 1, options.getMaxTimeoutMs());
    boolean stream = Boolean.TRUE.equals(head.getValue("stream"));
    long credits = stream ? whole(head, "credits", 1, 1, StreamCredits.MAX) : 0;
    MultiMap given = headers(head);
    MultiMap headers = given == null ? null : rules.in(given);
    if (head.containsKey("timeoutMs")) {
      headers = headers == null ? MultiMap.caseInsensitiveMultiMap() : headers;
      headers.set(RequestHeaders.DEADLINE_MS, RequestHeaders.deadline(timeoutMs));
    }
    return new SocketRequest(id, frame.body(), headers, timeoutMs, (int) credits);
  }

  /** The whole number of a member, within a range; {@code otherwise} if there is none. */
  static long whole(JsonObject head, String name, long otherwise, long min, long max) {
    Object value = head.getValue(name);
    if (value == null) {
      return otherwise;
    }
    long number =
        value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : min - 1;
    if (number < min || number > max) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, name + " is not a whole number from " + min + " to " + max);
    }
    return number;
  }

  /** Null for none. */
  private static MultiMap headers(JsonObject head) {
    Object given = head.getValue("headers");
    if (given == null) {
      return null;
    }
    if (!(given instanceof JsonObject object)) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "headers is not an object");
    }
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    for (Map.Entry<String, Object> header : object) {
      String value = String.valueOf(header.getValue());
      if (!HeaderRules.isWellFormed(header.getKey(), value)) {
        throw new ProblemException(
            ProblemType.BAD_REQUEST, "headers has a name or a value that HTTP does not allow");
      }
      headers.add(header.getKey(), value);
    }
    return headers;
  }

  /**
   * How the request is sent.
   *
   * @param clustered true to name the time, which a service on another node does not see by itself
   */
  DeliveryOptions delivery(boolean clustered) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(timeoutMs);
    if (headers != null) {
      options.setHeaders(headers);
    }
    return clustered
        ? options.addHeader(ServiceMessage.TIMEOUT_MS, Long.toString(timeoutMs))
        : options;
  }
}
