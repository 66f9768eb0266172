package dev.weir.launcher;

import dev.weir.flow.WeirOptions;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.ManagementPort;
import dev.weir.options.HeapBudget;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The settings as options objects, which check what is allowed. */
final class LaunchOptions {
  static final long DEFAULT_DRAIN_TIMEOUT_MS = 30_000;

  private static final long MAX_DRAIN_TIMEOUT_MS = 3_600_000;

  private static final String HTTP = "http";
  private static final String MANAGEMENT_PORT = "managementPort";
  private static final String CLUSTER = "cluster";
  private static final OptionType<Integer> INSTANCES = OptionTypes.integer(1, 256);
  private static final OptionType<Long> DRAIN_TIMEOUT_MS =
      OptionTypes.whole(0, MAX_DRAIN_TIMEOUT_MS);

  private static final OptionType<LogFormat> LOG_FORMAT = OptionTypes.choice(LogFormat.class);

  private int instances = 1;
  private LogFormat logFormat = LogFormat.TEXT;
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
        .put("logFormat", options.logFormat.name())
        .put(HTTP, http(options))
        .put("store", store(options, service))
        .put(CLUSTER, cluster(options))
        .put(service.name(), service.defaults());
  }

  private static JsonObject store(LaunchOptions options, LaunchedService service) {
    return options
        .store
        .setDirectory("data/" + service.name())
        .setDocumentsPercent(service.documentsPercent())
        .toJson();
  }

  /** Without the management port: its default depends on the port. */
  private static JsonObject http(LaunchOptions options) {
    JsonObject http = options.http.toJson();
    http.remove(MANAGEMENT_PORT);
    return http;
  }

  /** Without the ports whose default depends on the member port. */
  private static JsonObject cluster(LaunchOptions options) {
    JsonObject cluster = options.cluster.toJson();
    ClusterOptions.PORT_DISTANCES.keySet().forEach(cluster::remove);
    return cluster;
  }

  /** Sets the ports that the user has not set and whose default depends on another port. */
  static void complete(Settings settings) {
    if (settings.toJson().getValue(HTTP) instanceof JsonObject http
        && !http.containsKey(MANAGEMENT_PORT)
        && http.getValue("port") instanceof Number port) {
      int managementPort = ManagementPort.defaultFor(port.intValue());
      settings.put("the default", HTTP + "." + MANAGEMENT_PORT, "" + managementPort);
    }
    if (settings.toJson().getValue(CLUSTER) instanceof JsonObject cluster) {
      ClusterOptions.portsByDefault(cluster)
          .forEach((name, port) -> settings.put("the default", CLUSTER + "." + name, "" + port));
    }
  }

  private LaunchOptions() {}

  /**
   * Reads the settings, those of the service too.
   *
   * @throws IllegalArgumentException naming the setting, its value and what is allowed
   */
  LaunchOptions(JsonObject json, LaunchedService service) {
    for (Map.Entry<String, Object> entry : json) {
      read(entry.getKey(), entry.getValue(), service);
    }
    ManagementPort.check(http);
    requireHeap(store.getHeapBytes(), Runtime.getRuntime().maxMemory());
    if (instances > 1) {
      requireShared("http.port", http.getPort());
      requireShared("http.managementPort", http.getManagementPort());
    }
    requireMember(service);
  }

  private void requireMember(LaunchedService service) {
    List<String> members = service instanceof LaunchedMember member ? member.members() : List.of();
    String name = cluster.getMemberName();
    if (members.isEmpty()) {
      if (!name.isEmpty()) {
        throw new IllegalArgumentException(
            CLUSTER + ": memberName is " + name + ", allowed is none: no members are named");
      }
      return;
    }
    if (!cluster.isEnabled()) {
      throw new IllegalArgumentException(
          service.name()
              + ": members is "
              + members
              + ", allowed without cluster.enabled (-cluster) is none");
    }
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          CLUSTER
              + ": memberName is not set, allowed is one of "
              + service.name()
              + ".members, "
              + members
              + ", or the name of a member that comes later");
    }
  }

  private static void requireHeap(long heapBytes, long jvmBytes) {
    if (heapBytes > jvmBytes) {
      throw new IllegalArgumentException(
          "store: heapBytes is "
              + heapBytes
              + ", allowed is at most the heap of the JVM, "
              + jvmBytes);
    }
  }

  private static void requireShared(String name, int port) {
    if (port == 0) {
      throw new IllegalArgumentException(
          name + " is 0, allowed with more than one instance is 1 to 65535: they share it");
    }
  }

  private void read(String name, Object value, LaunchedService service) {
    switch (name) {
      case "instances" -> instances = INSTANCES.read(name, value);
      case "drainTimeoutMs" -> drainTimeoutMs = DRAIN_TIMEOUT_MS.read(name, value);
      case "logFormat" -> logFormat = LOG_FORMAT.read(name, value);
      case HTTP -> http = section(name, value, GatewayOptions::new);
      case "store" -> store = section(name, value, WeirOptions::new);
      case CLUSTER -> cluster = section(name, value, ClusterOptions::new);
      default -> {
        if (!name.equals(service.name())) {
          throw OptionSet.unknown(name, defaults(service).fieldNames());
        }
        section(name, value, configure(service));
      }
    }
  }

  private static Function<JsonObject, LaunchedService> configure(LaunchedService service) {
    return json -> {
      requireKnown(json, service.defaults());
      service.configure(json);
      return service;
    };
  }

  /** Groups of settings are the service's: a name in one may be the user's own. */
  private static void requireKnown(JsonObject given, JsonObject known) {
    for (String name : given.fieldNames()) {
      if (!known.containsKey(name)) {
        throw OptionSet.unknown(name, known.fieldNames());
      }
    }
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

  /** How long a stop waits for messages that wait or are being handled. */
  long drainTimeoutMs() {
    return drainTimeoutMs;
  }

  LogFormat logFormat() {
    return logFormat;
  }

  GatewayOptions http() {
    return http;
  }

  /** What the node may hold in memory. */
  HeapBudget heap() {
    return HeapBudget.of(store.getHeapBytes(), store.getDocumentsPercent());
  }

  WeirOptions store() {
    return store;
  }

  ClusterOptions cluster() {
    return cluster;
  }
}
