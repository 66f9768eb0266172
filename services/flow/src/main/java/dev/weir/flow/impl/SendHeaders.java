package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import dev.weir.queue.MessageOptions;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.function.LongFunction;

/**
 * The {@link MessageOptions} of a durable send as headers. Times are told as durations from now:
 * the clocks of two nodes may differ.
 */
final class SendHeaders {
  private static final String ID = "weir-id";
  private static final String FINGERPRINT = "weir-fingerprint";

  private SendHeaders() {}

  /** Adds what a message is named with, for another node to {@link #take}. */
  static void add(DeliveryOptions to, MessageOptions named, long nowMs) {
    add(to, ID, named.id());
    add(to, FINGERPRINT, named.fingerprint());
    replace(to, ServiceMessage.KEY, named.key());
    replace(to, ServiceMessage.DELAY_MS, fromNow(named.notBeforeMs(), nowMs, 0));
    replace(to, ServiceMessage.EXPIRES_IN_MS, fromNow(named.expiresAtMs(), nowMs, 1));
  }

  private static void add(DeliveryOptions to, String header, String value) {
    if (value != null) {
      to.addHeader(header, value);
    }
  }

  private static void replace(DeliveryOptions to, String header, String value) {
    if (value != null && to.getHeaders() != null) {
      to.getHeaders().remove(header);
    }
    add(to, header, value);
  }

  private static String fromNow(long atMs, long nowMs, long leastMs) {
    return atMs == 0 ? null : Long.toString(Math.max(leastMs, atMs - nowMs));
  }

  /**
   * What headers that came over the bus say of a message; those that users do not see are removed.
   *
   * @throws IllegalArgumentException naming a header with a bad value
   */
  static MessageOptions take(MultiMap headers, long nowMs) {
    String id = headers.get(ID);
    String fingerprint = headers.get(FINGERPRINT);
    headers.remove(ID).remove(FINGERPRINT);
    return read(headers, MessageOptions.NONE.withId(id).withFingerprint(fingerprint), nowMs);
  }

  /**
   * What a message is named with, and for the rest what its headers say.
   *
   * @param headers null for none
   * @throws IllegalArgumentException naming a header with a bad value
   */
  static MessageOptions read(MultiMap headers, MessageOptions named, long nowMs) {
    if (headers == null || headers.isEmpty()) {
      return named;
    }
    String attempts = headers.get(ServiceMessage.MAX_ATTEMPTS);
    if (attempts != null && attempts(attempts) < 1) {
      throw new IllegalArgumentException(
          ServiceMessage.MAX_ATTEMPTS
              + " is "
              + attempts
              + ", allowed is a whole number of 1 or more");
    }
    MessageOptions all = named;
    if (all.key() == null) {
      String key = headers.get(ServiceMessage.KEY);
      all = key == null ? all : all.withKey(key);
    }
    if (all.notBeforeMs() == 0) {
      all = time(headers, ServiceMessage.DELAY_MS, 0, nowMs, all, all::withNotBeforeMs);
    }
    return all.expiresAtMs() == 0
        ? time(headers, ServiceMessage.EXPIRES_IN_MS, 1, nowMs, all, all::withExpiresAtMs)
        : all;
  }

  /** The number of {@link ServiceMessage#MAX_ATTEMPTS}; -1 if it is none. */
  static int attempts(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static MessageOptions time(
      MultiMap headers,
      String header,
      long leastMs,
      long nowMs,
      MessageOptions without,
      LongFunction<MessageOptions> with) {
    String text = headers.get(header);
    if (text == null) {
      return without;
    }
    long ms;
    try {
      ms = Long.parseLong(text);
    } catch (NumberFormatException e) {
      ms = -1;
    }
    if (ms < leastMs || ms > ServiceMessage.MAX_TIME_MS) {
      throw new IllegalArgumentException(
          header
              + " is "
              + text
              + ", allowed is a whole number of "
              + leastMs
              + " to "
              + ServiceMessage.MAX_TIME_MS);
    }
    return ms == 0 ? without : with.apply(nowMs + ms);
  }
}
