package dev.weir.bench.eventbus.metrics;

import dev.weir.bench.Rounds;
import dev.weir.bench.load.RoundResult;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.MetricsFormat;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Reads all metrics as a Prometheus server does, on a thread of its own. */
final class Scraper implements AutoCloseable {
  private final Metrics metrics;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "bench-scraper"));
  private volatile int scrapes;
  private volatile int lastBytes;

  Scraper(Metrics metrics) {
    this.metrics = metrics;
  }

  /** Scrapes when the round begins, and every second until it ends. */
  RoundResult during(Rounds.Round round) throws Exception {
    Future<?> scraping = thread.scheduleAtFixedRate(this::scrape, 0, 1, TimeUnit.SECONDS);
    try {
      return round.run();
    } finally {
      scraping.cancel(false);
    }
  }

  private void scrape() {
    lastBytes = metrics.scrape(MetricsFormat.PROMETHEUS_TEXT).length();
    scrapes++;
  }

  int scrapes() {
    return scrapes;
  }

  int lastBytes() {
    return lastBytes;
  }

  @Override
  public void close() {
    thread.shutdown();
  }
}
