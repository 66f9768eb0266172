package dev.weir.processor;

import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.ManagementPort;
import dev.weir.launcher.JsonArgument;
import io.vertx.core.json.JsonObject;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a member's HTTP server. */
final class HttpArguments {
  @Option(
      names = "--http-port",
      description = "Port for HTTP: POST /services/cars. No HTTP by default.")
  Integer port;

  @Option(
      names = "--management-port",
      description =
          "Port for health, metrics and administration over HTTP. 1000 above --http-port by"
              + " default; -1 to serve them on --http-port.")
  private Integer managementPort;

  @Option(
      names = "--http-host",
      description =
          "Address to listen on for HTTP; " + GatewayOptions.DEFAULT_HOST + " by default.")
  private String host;

  @Option(
      names = "--at",
      split = ",",
      description =
          "host:port of every member's client port, to which requests over HTTP are sent; by"
              + " default the default ports on --host.")
  private List<String> at;

  @Option(
      names = "--http-conf",
      description = "All options of HTTP, including TLS and tokens, as a JSON file or as JSON.")
  private String conf;

  GatewayOptions toOptions() {
    JsonObject json = conf == null ? new JsonObject() : JsonArgument.read("--http-conf", conf);
    GatewayOptions options = new GatewayOptions(json).setPort(port);
    if (managementPort != null) {
      options.setManagementPort(managementPort);
    } else if (!json.containsKey("managementPort")) {
      options.setManagementPort(ManagementPort.defaultFor(port));
    }
    return host == null ? options : options.setHost(host);
  }

  /** Where the members accept clients; the primary among them handles requests over HTTP. */
  List<String> members(NodeArguments node, String memberHost) {
    return at == null ? node.clientAddresses(memberHost) : at;
  }
}
