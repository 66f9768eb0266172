package dev.weir.gateway;

import java.util.Locale;

/** What a token opens. */
enum TokenKind {
  DATA,
  ADMIN,
  METRICS;

  /** As in a problem's text. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String fileOption() {
    return label() + "TokensFile";
  }

  String variable() {
    return "WEIR_" + name() + "_TOKENS";
  }
}
