package dev.weir.gateway.security;

import io.vertx.core.Vertx;
import io.vertx.ext.auth.User;
import java.util.concurrent.TimeUnit;

/** Until when the authentication of a user is valid: its {@code exp}, as JSON Web Tokens have. */
final class UserExpiry {
  private static final String NAME = "exp";

  private UserExpiry() {}

  /**
   * Runs an action when the authentication expires; never if it has no end.
   *
   * @return cancels the watch
   */
  static Runnable watch(Vertx vertx, User user, Runnable action) {
    if (!(at(user) instanceof Number seconds)) {
      return () -> {};
    }
    // A time that is too far away for a long is cut to the nearest one.
    long endMs = TimeUnit.SECONDS.toMillis(seconds.longValue());
    long nowMs = System.currentTimeMillis();
    long leftMs = endMs <= nowMs ? 1 : endMs - nowMs;
    long timer = vertx.setTimer(leftMs, over -> action.run());
    return () -> vertx.cancelTimer(timer);
  }

  /** Seconds since 1970, or null. */
  private static Object at(User user) {
    Object expiry = user.attributes().getValue(NAME);
    return expiry == null ? user.principal().getValue(NAME) : expiry;
  }
}
