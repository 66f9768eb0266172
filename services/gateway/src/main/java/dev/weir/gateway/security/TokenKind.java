package dev.weir.gateway.security;

import java.util.Locale;

/** The kinds of tokens, by what they allow. */
public enum TokenKind {
  DATA,
  ADMIN,
  METRICS;

  /** As in a problem's text. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String variable() {
    return "WEIR_" + name() + "_TOKENS";
  }
}
