package dev.weir.gateway.security;

import io.vertx.ext.auth.User;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tickets for WebSockets and streams: each replaces a token once, within a short time. A browser's
 * {@code EventSource} and {@code WebSocket} cannot send a token in a header, and a token in a URL
 * would be kept in logs and histories for as long as the token is valid. Any thread.
 */
public final class Tickets {
  /** {@value} ms a ticket is valid. */
  public static final long LIFE_MS = 30_000;

  static final int MAX_TICKETS = 10_000;
  static final int MAX_TICKETS_OF_A_CLIENT = 100;
  private static final int BYTES = 24;

  /**
   * Whom a ticket stands for.
   *
   * @param tokenHash of a static token, or null
   * @param user of an authentication handler, or null
   */
  record Holder(String client, byte[] tokenHash, User user) {}

  private record Ticket(Holder holder, long issuedMs) {}

  private final SecureRandom random = new SecureRandom();

  /** The oldest first. */
  private final LinkedHashMap<String, Ticket> tickets = new LinkedHashMap<>();

  private final Map<String, Integer> ofClients = new HashMap<>();

  /** A new ticket, or null if the client, or all clients together, have as many as is allowed. */
  synchronized String issue(Holder holder, long nowMs) {
    forget(nowMs);
    int ofClient = ofClients.getOrDefault(holder.client, 0);
    if (tickets.size() >= MAX_TICKETS || ofClient >= MAX_TICKETS_OF_A_CLIENT) {
      return null;
    }
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    String ticket = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    tickets.put(ticket, new Ticket(holder, nowMs));
    ofClients.put(holder.client, ofClient + 1);
    return ticket;
  }

  /** The holder of a ticket, which is used up then; null if there is no such ticket any more. */
  synchronized Holder redeem(String ticket, long nowMs) {
    forget(nowMs);
    Ticket found = tickets.remove(ticket);
    if (found == null) {
      return null;
    }
    leave(found);
    return found.holder;
  }

  private void forget(long nowMs) {
    Iterator<Ticket> oldest = tickets.values().iterator();
    while (oldest.hasNext()) {
      Ticket ticket = oldest.next();
      if (nowMs - ticket.issuedMs < LIFE_MS) {
        return;
      }
      oldest.remove();
      leave(ticket);
    }
  }

  private void leave(Ticket ticket) {
    ofClients.computeIfPresent(
        ticket.holder.client, (client, count) -> count == 1 ? null : count - 1);
  }
}
