package dev.weir.processor;

import dev.weir.cluster.NodeOptions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The options of a member whose defaults depend on its place in the list of members. */
final class NodeArguments extends MemberArguments {
  private static final int HAZELCAST_PORT = 5701;

  @Option(
      names = "--port",
      description = "Port of Hazelcast; by default 5701 for the first member, 5702 for the second.")
  private Integer port;

  @Option(
      names = "--client-port",
      description = "Port for drivers; by default 7701 for the first member, 7702 for the second.")
  private Integer clientPort;

  int clientPort() {
    return clientPort == null ? clientPort(index()) : clientPort;
  }

  /**
   * The options of the member; without {@code join} it looks for members on the default ports of
   * its host.
   *
   * @param given entries of the options that were given
   */
  NodeOptions toOptions(Map<String, ?> given) {
    NodeOptions options =
        new NodeOptions(given)
            .setMemberName(name)
            .setPort(port == null ? HAZELCAST_PORT + index() : port)
            .setDirectory(directory());
    List<String> defaults =
        IntStream.range(0, members.size())
            .mapToObj(i -> options.getHost() + ":" + (HAZELCAST_PORT + i))
            .toList();
    return given.containsKey("join") ? options : options.setJoin(defaults);
  }
}
