package dev.weir.gateway.vertx50;

import dev.weir.gateway.metrics.VertxFigures;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.vertx.micrometer.Label;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The meters of the HTTP requests to one local address, under the names and with the tags that
 * Vert.x's own metrics give them. Any thread.
 */
final class HttpMeters {
  private static final String PREFIX = "vertx.http.server.";

  /** Between the names of the routes that a request has passed. */
  private static final String SEPARATOR = ">";

  private final MeterRegistry registry;
  private final Tags tags;
  private final LongAdder active = new LongAdder();
  private final DistributionSummary requestBytes;
  private final Route unrouted = new Route("");

  /**
   * @param local the address that the server listens on
   */
  HttpMeters(MeterRegistry registry, String local) {
    this.registry = registry;
    this.tags = Tags.of(Label.LOCAL.toString(), local);
    Gauge.builder(PREFIX + "active.requests", active, LongAdder::doubleValue)
        .description("Number of requests being processed")
        .tags(tags)
        .strongReference(true)
        .register(registry);
    this.requestBytes =
        DistributionSummary.builder(PREFIX + "request.bytes")
            .description("Size of requests in bytes")
            .tags(tags)
            .register(registry);
  }

  /** How many requests have not been answered. */
  LongAdder active() {
    return active;
  }

  DistributionSummary requestBytes() {
    return requestBytes;
  }

  /** Counts a request that ended without an answer. */
  void reset() {
    Counter.builder(PREFIX + "request.resets")
        .description("Number of request resets")
        .tags(tags)
        .register(registry)
        .increment();
  }

  /** Where each request begins: it has passed no route yet. */
  Route unrouted() {
    return unrouted;
  }

  /**
   * The routes that requests have passed, in order. The names of routes are those of the router, so
   * there are few.
   */
  final class Route {
    private final String name;
    private final Map<String, Route> next = new ConcurrentHashMap<>();
    private final Map<Integer, AnswerMeters> answers = new ConcurrentHashMap<>();

    private Route(String name) {
      this.name = name;
    }

    /** What follows when the request passes one more route. */
    Route then(String route) {
      Route known = next.get(route);
      return known == null
          ? next.computeIfAbsent(
              route, key -> new Route(name.isEmpty() ? key : name + SEPARATOR + key))
          : known;
    }

    void answered(int status, long ns, long bytes) {
      AnswerMeters meters = answers.get(status);
      if (meters == null) {
        meters = answers.computeIfAbsent(status, this::register);
      }
      meters.count.increment();
      meters.time.record(ns, TimeUnit.NANOSECONDS);
      meters.bytes.record(bytes);
    }

    private AnswerMeters register(int status) {
      Tags all =
          tags.and(
              Label.HTTP_ROUTE.toString(),
              name,
              Label.HTTP_CODE.toString(),
              Integer.toString(status));
      return new AnswerMeters(
          Counter.builder(PREFIX + "requests")
              .description("Number of processed requests")
              .tags(all)
              .register(registry),
          Timer.builder(VertxFigures.RESPONSE_TIME)
              .description("Request processing time")
              .tags(all)
              .register(registry),
          DistributionSummary.builder(PREFIX + "response.bytes")
              .description("Size of responses in bytes")
              .tags(all)
              .register(registry));
    }
  }

  /** The meters of the answers with one status on one route. */
  private record AnswerMeters(Counter count, Timer time, DistributionSummary bytes) {}
}
