package dev.weir.processor;

import dev.weir.gateway.GatewayOptions;
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
      defaultValue = GatewayOptions.DEFAULT_HOST,
      description = "Address to listen on for HTTP; ${DEFAULT-VALUE} by default.")
  String host;

  @Option(
      names = "--at",
      split = ",",
      description =
          "host:port where the members take clients, for what comes over HTTP; by default all"
              + " default ports of --host.")
  List<String> at;

  GatewayOptions toOptions() {
    return new GatewayOptions().setHost(host).setPort(port);
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
