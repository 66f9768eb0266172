package dev.weir.group.apply;

import java.util.Map;

/**
 * A message to another service that is not known to have arrived.
 *
 * @param number among those of its outbox
 * @param id the same whenever it is sent
 * @param durable whether it is sent durably, not as a request
 * @param key null for none
 * @param trace headers that name the trace of the message that it was made for; empty without one
 */
public record OutgoingMessage(
    long number,
    String id,
    boolean durable,
    String address,
    String key,
    Map<String, String> trace,
    Object body) {}
