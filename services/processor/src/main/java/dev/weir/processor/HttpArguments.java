package dev.weir.processor;

import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.launch.JsonArgument;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** Whether and where a member answers HTTP. */
final class HttpArguments {
  @Option(
      names = "--http-port",
      description = "Port for HTTP: POST /services/cars, health, metrics; none by default.")
  Integer port;

  @Option(
      names = "--http-host",
      description = "Address for HTTP; " + GatewayOptions.DEFAULT_HOST + " by default.")
  String host;

  @Option(
      names = "--at",
      split = ",",
      description =
          "host:port where the members take clients, for what comes over HTTP; by default all"
              + " default ports of --host.")
  List<String> at;

  @Option(
      names = "--http-conf",
      description = "All options of HTTP, TLS and tokens among them: a JSON file, or JSON.")
  String conf;

  GatewayOptions toOptions() {
    JsonObject json = conf == null ? new JsonObject() : JsonArgument.read("--http-conf", conf);
    GatewayOptions options = new GatewayOptions(json).setPort(port);
    return host == null ? options : options.setHost(host);
  }

  /** Where cars that come here are brought: to whichever of these is primary. */
  List<String> members(int count, String membersHost) {
    return at != null
        ? at
        : IntStream.range(0, count)
            .mapToObj(i -> membersHost + ":" + GroupArguments.clientPort(i))
            .toList();
  }
}
