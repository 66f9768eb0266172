package dev.weir.gateway.security;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Ends long-lived work when the token with which it began is revoked. */
final class Grants {
  /**
   * The right a token gave.
   *
   * @param hash of the token
   * @param allowed the kinds of tokens that give it
   */
  record Grant(byte[] hash, Set<TokenKind> allowed) {
    boolean isValid(Tokens tokens) {
      return allowed.stream().anyMatch(kind -> tokens.of(kind).find(hash) != null);
    }
  }

  /** One that is compared by identity. */
  private static final class Watch {
    final Grant grant;
    final Runnable action;

    Watch(Grant grant, Runnable action) {
      this.grant = grant;
      this.action = action;
    }
  }

  private final Tokens tokens;
  private final Set<Watch> watched = ConcurrentHashMap.newKeySet();

  Grants(Tokens tokens) {
    this.tokens = tokens;
    tokens.onChange(() -> watched.forEach(this::endIfRevoked));
  }

  /**
   * @param action called once at most, on any thread, when the grant is no more valid
   * @return stops that
   */
  Runnable watch(Grant grant, Runnable action) {
    Watch watch = new Watch(grant, action);
    watched.add(watch);
    // The tokens may have changed since the grant was given.
    endIfRevoked(watch);
    return () -> watched.remove(watch);
  }

  private void endIfRevoked(Watch watch) {
    if (!watch.grant.isValid(tokens) && watched.remove(watch)) {
      watch.action.run();
    }
  }
}
