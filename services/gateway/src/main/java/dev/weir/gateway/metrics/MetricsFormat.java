package dev.weir.gateway.metrics;

/** How figures are written. */
public enum MetricsFormat {
  /** Prometheus text, version 0.0.4. */
  PROMETHEUS_TEXT("text/plain; version=0.0.4; charset=utf-8"),
  /** OpenMetrics text, version 1.0.0. */
  OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

  private final String contentType;

  MetricsFormat(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }

  /**
   * What a scraper wants.
   *
   * @param accept its Accept header, or null
   * @return OpenMetrics if the header names it, else Prometheus text
   */
  public static MetricsFormat of(String accept) {
    return accept != null && accept.contains("application/openmetrics-text")
        ? OPEN_METRICS
        : PROMETHEUS_TEXT;
  }
}
