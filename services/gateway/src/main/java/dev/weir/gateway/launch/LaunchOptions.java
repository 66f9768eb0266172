package dev.weir.gateway.launch;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.whole;

import dev.weir.flow.OptionReader;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.GatewayOptions;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.Function;

/** What the settings say, in the classes that know what is allowed. */
final class LaunchOptions {
  static final long DEFAULT_DRAIN_TIMEOUT_MS = 30_000;

  /** The launcher halts the JVM two minutes after a signal. */
  private static final long MAX_DRAIN_TIMEOUT_MS = 100_000;

  private static final int MAX_INSTANCES = 256;

  private int instances = 1;
  private long drainTimeoutMs = DEFAULT_DRAIN_TIMEOUT_MS;
  private GatewayOptions http = new GatewayOptions();
  private WeirOptions store = new WeirOptions();
  private ClusterOptions cluster = new ClusterOptions();

  /** The defaults of a program with this service. */
  static JsonObject defaults(LaunchedService service) {
    LaunchOptions options = new LaunchOptions();
    return new JsonObject()
        .put("instances", options.instances)
        .put("drainTimeoutMs", options.drainTimeoutMs)
        .put("http", options.http.toJson())
        .put("store", options.store.setDirectory("data/" + service.name()).toJson())
        .put("cluster", options.cluster.toJson())
        .put(service.name(), service.defaults());
  }

  private LaunchOptions() {}

  /**
   * Reads the settings, those of the service too.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  LaunchOptions(JsonObject json, LaunchedService service) {
    new OptionReader(
            Map.of(
                "instances",
                value ->
                    instances =
                        (int) range("instances", smallWhole("instances", value), 1, MAX_INSTANCES),
                "drainTimeoutMs",
                value ->
                    drainTimeoutMs =
                        range(
                            "drainTimeoutMs",
                            whole("drainTimeoutMs", value),
                            0,
                            MAX_DRAIN_TIMEOUT_MS),
                "http",
                value -> http = section("http", value, GatewayOptions::new),
                "store",
                value -> store = section("store", value, WeirOptions::new),
                "cluster",
                value -> cluster = section("cluster", value, ClusterOptions::new),
                service.name(),
                value -> section(service.name(), value, configure(service))))
        .apply(json);
    if (instances > 1 && http.getPort() == 0) {
      throw new IllegalArgumentException(
          "http.port is 0, allowed with more than one instance is 1 to 65535: they share it");
    }
  }

  private static Function<JsonObject, LaunchedService> configure(LaunchedService service) {
    return json -> {
      service.configure(json);
      return service;
    };
  }

  private static <T> T section(String name, Object value, Function<JsonObject, T> read) {
    if (!(value instanceof JsonObject json)) {
      throw new IllegalArgumentException(name + " is " + value + ", allowed is a JSON object");
    }
    try {
      return read.apply(json);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  /** How many event loops serve HTTP. */
  int instances() {
    return instances;
  }

  /** How long a stop waits for what is in handling or waits. */
  long drainTimeoutMs() {
    return drainTimeoutMs;
  }

  GatewayOptions http() {
    return http;
  }

  WeirOptions store() {
    return store;
  }

  ClusterOptions cluster() {
    return cluster;
  }
}
