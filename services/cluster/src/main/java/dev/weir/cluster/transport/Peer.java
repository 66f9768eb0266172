package dev.weir.cluster.transport;

import dev.weir.cluster.transport.tcp.TcpEndpoint;
import java.net.InetSocketAddress;
import java.util.UUID;

/**
 * A member as it was last seen in the cluster.
 *
 * @param incarnation drawn at random when its process started the member
 * @param id Hazelcast's name of it
 * @param hazelcast where its Hazelcast listens
 * @param replication where its {@link TcpEndpoint} listens; null if it has none
 */
public record Peer(
    String name,
    long incarnation,
    UUID id,
    InetSocketAddress hazelcast,
    InetSocketAddress replication) {}
