package dev.weir.gateway.metrics;

import java.nio.file.Path;

/** Where the alert rules are. */
final class AlertRules {
  static final Path FILE = Path.of("../../docs/prometheus/weir-alerts.yml");

  private AlertRules() {}
}
