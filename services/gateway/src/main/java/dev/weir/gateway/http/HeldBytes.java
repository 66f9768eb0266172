package dev.weir.gateway.http;

import dev.weir.options.ByteBudget;
import dev.weir.options.ByteLease;
import io.vertx.ext.web.RoutingContext;

/**
 * The bytes that one request holds of the gateway's budget for bodies: its body, the decoded body,
 * then its reply. They are released when the request has ended and its reply is written. Used on
 * the event loop of the request's connection.
 */
public final class HeldBytes {
  private static final String KEY = "weir.held";

  private final ByteBudget budget;
  private final ByteLease lease;
  private long bytes;

  /** The request, and its reply while it is written. */
  private int holders = 1;

  public HeldBytes(ByteBudget budget) {
    this.budget = budget;
    this.lease = ByteLease.exact(budget);
  }

  /** Those of a request that the gateway has let in. */
  public static HeldBytes of(RoutingContext context) {
    return context.get(KEY);
  }

  /** Makes them those of a request. */
  public void attach(RoutingContext context) {
    context.put(KEY, this);
  }

  /** The budget of which the bytes are taken. */
  public ByteBudget budget() {
    return budget;
  }

  /** None yet, of the same budget, for a request on the WebSocket that this request became. */
  public HeldBytes another() {
    return new HeldBytes(budget);
  }

  /** Whether as many could ever be held. */
  public boolean canEver(long all) {
    return all <= budget.limitBytes();
  }

  /**
   * Holds at least as many; false if the budget does not have them, or all have been released:
   * nobody would give them back then.
   */
  public boolean cover(long all) {
    if (holders == 0 || !lease.covers(all)) {
      return false;
    }
    bytes = Math.max(bytes, all);
    return true;
  }

  /** Holds as many more; false if the budget does not have them. */
  public boolean grow(long more) {
    return cover(bytes + more);
  }

  /** One more {@link #release()} is needed from now on. */
  public void hold() {
    holders++;
  }

  /** The same, and from now on holds at most as many: the rest is garbage. */
  void holdOnly(long all) {
    holders++;
    bytes = Math.min(bytes, all);
    lease.settle(bytes);
  }

  /** True while a reply is being written and its request has not ended. */
  public boolean isReplyHeld() {
    return holders > 1;
  }

  /** Gives all back when all who hold them have released them. */
  public void release() {
    holders--;
    if (holders == 0) {
      bytes = 0;
      lease.settle(0);
    }
  }
}
