package dev.weir.launcher;

import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line: the Vert.x launcher's flags as far as they apply, and our own. */
@Command(
    customSynopsis = "java -jar JAR [options]",
    sortOptions = false,
    usageHelpAutoWidth = true,
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nSettings:%n",
    footer = {
      "Defaults, -conf, environment, system properties, flags: a later one wins. The setting"
          + " http.port is \"http\":{\"port\":8080} in the file, WEIR_HTTP_PORT in the environment,"
          + " -Dweir.http.port as a system property, and --set http.port= as a flag. --check prints"
          + " all of them.",
      "",
      "Commands for a service of shards that runs: shards and move, each with --help."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:ended as asked, by SIGTERM or SIGINT",
      "1:could not start, or failed; the reason is on the standard error",
      "2:an option or a setting is wrong",
      "3:the data directory cannot be used; if it is in use, by which process",
      "4:a port is taken",
      "5:the heap is exhausted; what was accepted durably is there at the next start"
    })
final class LaunchCommand {
  @Option(
      names = {"-conf", "--conf"},
      paramLabel = "<json>",
      description = "Settings: a JSON file, or JSON.")
  private String conf;

  @Option(
      names = {"-options", "--options", "-vertx-options", "--vertx-options"},
      paramLabel = "<json>",
      description = "Options of Vert.x itself: a JSON file, or JSON.")
  private String vertxOptions;

  @Option(
      names = {"-instances", "--instances"},
      description = "Event loops that serve HTTP: instances.")
  private String instances;

  @Option(names = "--http-host", description = "Address to listen on: http.host.")
  private String httpHost;

  @Option(names = "--http-port", description = "Port for services: http.port.")
  private String httpPort;

  @Option(
      names = "--management-port",
      description =
          "Port for health, metrics, administration and the dashboard: http.managementPort. 1000"
              + " above --http-port by default; -1 to serve them on --http-port.")
  private String managementPort;

  @Option(names = "--data", description = "The data directory: store.directory.")
  private String data;

  @Option(
      names = "--drain-timeout-ms",
      description = "How long a stop waits for what was accepted: drainTimeoutMs.")
  private String drainTimeoutMs;

  @Option(
      names = {"-c", "-cluster", "--cluster"},
      description = "Join others to one event bus: cluster.enabled.")
  private boolean cluster;

  @Option(
      names = {"-cluster-host", "--cluster-host"},
      description = "Address for the cluster: cluster.host.")
  private String clusterHost;

  @Option(
      names = {"-cluster-port", "--cluster-port"},
      description = "Port of the event bus: cluster.port.")
  private String clusterPort;

  @Option(names = "--cluster-member-port", description = "Port of Hazelcast: cluster.memberPort.")
  private String clusterMemberPort;

  @Option(
      names = "--cluster-member",
      description = "Name of this node among the members of its groups: cluster.memberName.")
  private String clusterMember;

  @Option(
      names = "--cluster-join",
      description = "Members, each host:member-port, by commas: cluster.join.")
  private String clusterJoin;

  @Option(
      names = "--set",
      paramLabel = "<setting=value>",
      description = "Any other setting; may be repeated.")
  private Map<String, String> others = new LinkedHashMap<>();

  @Option(names = "--check", description = "Print the effective settings and end.")
  private boolean check;

  @Option(
      names = ClassArchive.FLAG,
      paramLabel = "<file>",
      description =
          "Write an archive of classes, with which the JVM starts this in half the time, and end.")
  private String archive;

  @Option(names = "--verbose", description = "Let Hazelcast say what it does.")
  private boolean verbose;

  @Option(
      names = {"-h", "-help", "--help"},
      usageHelp = true,
      description = "Print this and end.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version and end.")
  private boolean version;

  /** Sets what takes no value; false for anything else, and the second time. */
  boolean takeFlag(String name) {
    switch (name) {
      case "-c", "-cluster", "--cluster" -> {
        return !cluster && (cluster = true);
      }
      case "--check" -> {
        return !check && (check = true);
      }
      case "--verbose" -> {
        return !verbose && (verbose = true);
      }
      default -> {
        return false;
      }
    }
  }

  /** Sets what takes a value; false for anything else, and the second time. */
  boolean take(String name, String value) {
    switch (name) {
      case "--set" -> {
        int equals = value.indexOf('=');
        return equals > 0
            && others.putIfAbsent(value.substring(0, equals), value.substring(equals + 1)) == null;
      }
      case "-conf", "--conf" -> {
        return conf == null && (conf = value) != null;
      }
      case "-options", "--options", "-vertx-options", "--vertx-options" -> {
        return vertxOptions == null && (vertxOptions = value) != null;
      }
      case "-instances", "--instances" -> {
        return instances == null && (instances = value) != null;
      }
      case "--http-host" -> {
        return httpHost == null && (httpHost = value) != null;
      }
      case "--http-port" -> {
        return httpPort == null && (httpPort = value) != null;
      }
      case "--management-port" -> {
        return managementPort == null && (managementPort = value) != null;
      }
      case "--data" -> {
        return data == null && (data = value) != null;
      }
      case "--drain-timeout-ms" -> {
        return drainTimeoutMs == null && (drainTimeoutMs = value) != null;
      }
      default -> {
        // Those of a cluster are rare, and a start with Hazelcast takes seconds; an archive is made
        // once.
        return false;
      }
    }
  }

  boolean isCheck() {
    return check;
  }

  /** The archive to be written; null for none. */
  String archive() {
    return archive;
  }

  boolean isVerbose() {
    return verbose;
  }

  /** The options of Vert.x; empty if none are given. */
  JsonObject vertxOptions() {
    return vertxOptions == null ? new JsonObject() : JsonArgument.read("-options", vertxOptions);
  }

  /**
   * @throws IllegalArgumentException naming what is wrong, and where it was given
   */
  void apply(Settings settings, Map<String, String> environment, Map<?, ?> properties) {
    if (conf != null) {
      settings.file(JsonArgument.read("-conf", conf));
    }
    settings.environment(environment);
    settings.properties(properties);
    put(settings, "-instances", "instances", instances);
    put(settings, "--http-host", "http.host", httpHost);
    put(settings, "--http-port", "http.port", httpPort);
    put(settings, "--management-port", "http.managementPort", managementPort);
    put(settings, "--data", "store.directory", data);
    put(settings, "--drain-timeout-ms", "drainTimeoutMs", drainTimeoutMs);
    put(settings, "-cluster", "cluster.enabled", cluster ? "true" : null);
    put(settings, "-cluster-host", "cluster.host", clusterHost);
    put(settings, "-cluster-port", "cluster.port", clusterPort);
    put(settings, "--cluster-member-port", "cluster.memberPort", clusterMemberPort);
    put(settings, "--cluster-member", "cluster.memberName", clusterMember);
    put(settings, "--cluster-join", "cluster.join", clusterJoin);
    others.forEach((path, value) -> settings.put("--set " + path, path, value));
  }

  private static void put(Settings settings, String flag, String path, String value) {
    if (value != null) {
      settings.put(flag, path, value);
    }
  }
}
