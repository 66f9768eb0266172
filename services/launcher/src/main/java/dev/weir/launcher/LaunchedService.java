package dev.weir.launcher;

import dev.weir.flow.Weir;
import dev.weir.gateway.Authentication;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.health.HealthCheck;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.core.spi.VertxTracerFactory;
import java.util.List;

/** A service as the {@link Launcher} runs it. Its methods are called once each, in this order. */
public interface LaunchedService {
  /** Lower case; the name of the program and of its section of the settings. */
  String name();

  /**
   * Every setting of its section with its default; null for a setting that has none, a nested
   * object for a group of settings. The launcher refuses a setting that is not named here; what is
   * in a group is for {@link #configure} to check.
   */
  JsonObject defaults();

  /**
   * Takes the settings; nothing is opened yet.
   *
   * @param settings the section as the sources give it, with every key of {@link #defaults()}; a
   *     value may be of another type
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  void configure(JsonObject settings);

  /**
   * Starts to serve. Not called on an event loop, so each service that the calling thread starts
   * gets its own; may block. Requests arrive once the future has completed. The program may be told
   * to stop meanwhile: then the Weir is closed and {@link #stop} is called before this returns.
   */
  Future<?> start(Vertx vertx, Weir weir);

  /**
   * Who may call the service over HTTP, instead of the static tokens. Called for each instance,
   * after {@link #configure} and before the gateway listens.
   */
  default Authentication authentication(Vertx vertx) {
    return Authentication.TOKENS;
  }

  /**
   * Where the program's figures go besides {@code /metrics}, such as a registry that sends them by
   * OTLP. Called once, after {@link #configure}; the registries are closed when the program stops.
   */
  default List<MeterRegistry> registries() {
    return List.of();
  }

  /**
   * The tracer of the program's Vert.x, such as an {@code OpenTelemetryTracingFactory} with an SDK
   * of its own. Called once, after {@link #configure} and before Vert.x starts.
   *
   * @return null for the tracer that {@code tracingOptions} of {@code -options} names, or for none
   */
  default VertxTracerFactory tracing() {
    return null;
  }

  /**
   * The part of the heap that the service wants for documents, in percent: the default of {@code
   * store.documentsPercent}.
   */
  default int documentsPercent() {
    return 0;
  }

  /**
   * Figures of its own, which go where all others go. Called once, after the start; those that can
   * be closed are closed when the program stops.
   */
  default List<MeterBinder> meters() {
    return List.of();
  }

  /**
   * Conditions for the program to be ready, besides those of its Weir. Called once, after the
   * start.
   */
  default List<HealthCheck> checks() {
    return List.of();
  }

  /**
   * Adds routes of its own to a gateway that listens. Called for each instance, after the start.
   */
  default void mount(Gateway gateway) {}

  /**
   * Releases the service's own resources; called when the Weir is closed, on any thread; may block
   * briefly.
   */
  void stop();
}
