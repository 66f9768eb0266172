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
  private static final Runnable NOTHING = () -> {};
  private static final String KEY = "weir.held";

  private final ByteBudget budget;
  private final ByteLease lease;
  private long bytes;

  /** The request, the service while it handles the request, and the reply while it is written. */
  private int holders = 1;

  private boolean replyHeld;

  /** The connection, and the service while it handles the request. */
  private int users = 1;

  /** Run when the request is in flight no more. */
  private Runnable left = NOTHING;

  /** Run when the client is gone while a service handles the request. */
  private Runnable gone = NOTHING;

  public HeldBytes(ByteBudget budget) {
    this.budget = budget;
    this.lease = ByteLease.exact(budget);
  }

  /** Sets what runs once the request is in flight no more: see {@link #leave()}. */
  public void onLeft(Runnable action) {
    left = action;
  }

  /**
   * A service handles the request, until {@link #handled()}: it stays in flight, with its bytes,
   * even if its client goes. Otherwise a client that asks and goes could have any number handled.
   *
   * @param gone run if the client goes meanwhile
   * @return false, and no {@link #handled()} must follow, if the client is gone already
   */
  boolean handling(Runnable gone) {
    if (users == 0) {
      return false;
    }
    this.gone = gone;
    holders++;
    users++;
    return true;
  }

  void handled() {
    gone = NOTHING;
    release();
    lessUsers();
  }

  /** The connection has ended the request, which is in flight until no service handles it. */
  public void leave() {
    gone.run();
    lessUsers();
  }

  private void lessUsers() {
    users--;
    if (users == 0) {
      left.run();
    }
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

  /** Whether as many more could be held if no other request held anything. */
  boolean canEverGrow(long more) {
    return bytes + more <= budget.limitBytes();
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
    replyHeld = true;
    bytes = Math.min(bytes, all);
    lease.settle(bytes);
  }

  /** True from the time at which a reply that counts is written. */
  public boolean isReplyHeld() {
    return replyHeld;
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
