package dev.weir.processor;

import dev.weir.cluster.NodeOptions;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Option;

/** The options of a member's network addresses. */
final class NodeArguments extends MemberArguments {
  private static final int HAZELCAST_PORT = 5701;

  @Option(
      names = "--host",
      defaultValue = NodeOptions.DEFAULT_HOST,
      description =
          "Address to listen on, ${DEFAULT-VALUE} by default. Traffic is not encrypted: use a"
              + " trusted network.")
  String host;

  @Option(
      names = "--port",
      description = "Port of Hazelcast; by default 5701 for the first member, 5702 for the second.")
  private Integer port;

  @Option(
      names = "--replication-port",
      defaultValue = "0",
      description = "Port of the TCP replication; by default any free port.")
  private int replicationPort;

  @Option(
      names = "--public-host",
      description =
          "Address at which other members reach this one if a NAT or a proxy maps addresses;"
              + " --host by default.")
  private String publicHost;

  @Option(
      names = "--public-port",
      defaultValue = "" + NodeOptions.DEFAULT_PUBLIC_PORT,
      description = "Port of --public-host that leads to --port; the same number by default.")
  private int publicPort;

  @Option(
      names = "--public-replication-port",
      defaultValue = "" + NodeOptions.DEFAULT_PUBLIC_PORT,
      description =
          "Port of --public-host that leads to --replication-port; the same number by default.")
  private int publicReplicationPort;

  @Option(
      names = "--client-port",
      description = "Port for drivers; by default 7701 for the first member, 7702 for the second.")
  private Integer clientPort;

  @Option(
      names = "--join",
      split = ",",
      description =
          "host:port of every member's Hazelcast; by default the default ports on --host.")
  private List<String> join;

  int clientPort() {
    return clientPort == null ? clientPort(index()) : clientPort;
  }

  NodeOptions toOptions() {
    List<String> defaults =
        IntStream.range(0, members.size())
            .mapToObj(i -> host + ":" + (HAZELCAST_PORT + i))
            .toList();
    return new NodeOptions()
        .setMemberName(name)
        .setHost(host)
        .setPort(port == null ? HAZELCAST_PORT + index() : port)
        .setReplicationPort(replicationPort)
        .setPublicHost(publicHost)
        .setPublicPort(publicPort)
        .setPublicReplicationPort(publicReplicationPort)
        .setJoin(join == null ? defaults : join)
        .setDirectory(directory());
  }
}
