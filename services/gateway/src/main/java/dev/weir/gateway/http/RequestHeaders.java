package dev.weir.gateway.http;

import dev.weir.flow.ServiceMessage;
import dev.weir.queue.Durability;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.Locale;

/** The request headers by which a client tells the gateway what it wants. */
public final class RequestHeaders {
  /** How long the client waits, ms. */
  public static final CharSequence TIMEOUT_MS = HttpHeaders.createOptimized("weir-timeout-ms");

  /** How safe an event has to be. */
  static final CharSequence DURABILITY = HttpHeaders.createOptimized("weir-durability");

  /** The name of the request, the same when it is repeated. */
  static final CharSequence IDEMPOTENCY_KEY = HttpHeaders.createOptimized("idempotency-key");

  /** To the handler: until when the client waits, ms since 1970. */
  public static final String DEADLINE_MS = "weir-deadline-ms";

  private static final List<String> EVENT_HEADERS =
      List.of(ServiceMessage.DELAY_MS, ServiceMessage.EXPIRES_IN_MS, ServiceMessage.MAX_ATTEMPTS);

  static final int MAX_KEY_CHARS = 255;

  private RequestHeaders() {}

  /** The time the client gives, or 0 if it gives none. */
  public static long timeoutMs(MultiMap headers, long maxMs) {
    String value = headers.get(TIMEOUT_MS);
    if (value == null) {
      return 0;
    }
    long timeoutMs;
    try {
      timeoutMs = Long.parseLong(value.trim());
    } catch (NumberFormatException e) {
      timeoutMs = 0;
    }
    if (timeoutMs < 1 || timeoutMs > maxMs) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST, "Weir-Timeout-Ms is not a whole number from 1 to " + maxMs);
    }
    return timeoutMs;
  }

  /** The value of {@link #DEADLINE_MS} for a client that waits so long from now. */
  public static String deadline(long timeoutMs) {
    return Long.toString(System.currentTimeMillis() + timeoutMs);
  }

  public static Durability durability(MultiMap headers) {
    String value = headers.get(DURABILITY);
    if (value == null) {
      return Durability.PROCESS;
    }
    return switch (value.trim().toLowerCase(Locale.ROOT)) {
      case "process" -> Durability.PROCESS;
      case "machine" -> Durability.MACHINE;
      default ->
          throw new ProblemException(
              ProblemType.BAD_REQUEST, "Weir-Durability is neither process nor machine");
    };
  }

  /**
   * The headers of an event: delay, expiry and attempts go to the service, which checks them.
   *
   * @param passed those for the message so far, or null for none
   * @return null for none
   */
  public static MultiMap withTimes(MultiMap passed, MultiMap request) {
    MultiMap all = passed;
    for (String name : EVENT_HEADERS) {
      String value = request.get(name);
      if (value != null) {
        all = all == null ? MultiMap.caseInsensitiveMultiMap() : all;
        all.set(name, value.trim());
      }
    }
    return all;
  }

  /** The key, without the quotes the header may have; null if there is none. */
  public static String key(MultiMap headers) {
    String value = headers.get(IDEMPOTENCY_KEY);
    if (value == null) {
      return null;
    }
    String key = value.trim();
    if (key.length() > 1 && key.startsWith("\"") && key.endsWith("\"")) {
      key = key.substring(1, key.length() - 1);
    }
    if (key.isEmpty() || key.length() > MAX_KEY_CHARS) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST,
          "Idempotency-Key does not have 1 to " + MAX_KEY_CHARS + " characters");
    }
    return key;
  }

  public static void refuseEncoded(MultiMap headers) {
    String encoding = headers.get(HttpHeaders.CONTENT_ENCODING);
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw new ProblemException(
          ProblemType.UNSUPPORTED_MEDIA_TYPE, "Content-Encoding is not understood, send it plain");
    }
  }
}
