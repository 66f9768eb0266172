package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import io.vertx.core.MultiMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What a service logs about one message. The address, the message's id and its trace are in the MDC
 * of SLF4J meanwhile, where they are known: a log that is written for machines has them as fields.
 */
final class MessageLog {
  static final String ADDRESS = "address";
  static final String MESSAGE_ID = "message_id";
  static final String TRACE_ID = "trace_id";

  private static final Logger LOG = LoggerFactory.getLogger(MessageLog.class);

  private MessageLog() {}

  /** Logs why a body cannot be decoded, which no requester may read; returns what it may. */
  static String undecoded(String address, MultiMap headers, Throwable cause) {
    HeapExhaustion.report(cause);
    warn(address, null, headers, "the body of a message cannot be decoded", cause);
    return "the body cannot be decoded";
  }

  /** The same for a body that cannot be written to disk. */
  static String unwritten(String address, String id, MultiMap headers, Throwable cause) {
    HeapExhaustion.report(cause);
    warn(address, id, headers, "the body of a message cannot be written to disk", cause);
    return "the body cannot be written to disk";
  }

  /** The failure of a handler, or of what reads for it, that no requester is told in full. */
  static void failed(ServiceMessage<?> message, String what, Throwable failure) {
    warn(message.address(), message.id(), message.headers(), what, failure);
  }

  static void deadLetter(String address, String id, String reason) {
    with(
        address,
        id,
        null,
        () ->
            LOG.error(
                "service {}: message {} from disk becomes a dead letter: {}", address, id, reason));
  }

  private static void warn(
      String address, String id, MultiMap headers, String what, Throwable cause) {
    String message = id == null ? "" : ", message " + id;
    with(
        address,
        id,
        headers,
        () -> LOG.warn("service {}: {}{}", address, what, message, UserFailure.forLog(cause)));
  }

  private static void with(String address, String id, MultiMap headers, Runnable log) {
    Map<String, String> before = MDC.getCopyOfContextMap();
    put(ADDRESS, address);
    put(MESSAGE_ID, id);
    put(TRACE_ID, headers == null ? null : traceId(headers));
    try {
      log.run();
    } finally {
      MDC.setContextMap(before == null ? Map.of() : before);
    }
  }

  private static void put(String key, String value) {
    if (value != null) {
      MDC.put(key, value);
    }
  }

  /** As the W3C or, failing that, Zipkin writes it in headers; null if neither does. */
  static String traceId(MultiMap headers) {
    String w3c = headers.get("traceparent");
    if (w3c != null) {
      String[] parts = w3c.split("-", 4);
      return parts.length == 4 ? parts[1] : null;
    }
    String b3 = headers.get("b3");
    return b3 == null ? headers.get("X-B3-TraceId") : b3.split("-", 2)[0];
  }
}
