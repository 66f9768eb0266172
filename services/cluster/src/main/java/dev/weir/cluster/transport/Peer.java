package dev.weir.cluster.transport;

import dev.weir.cluster.HostPort;
import java.net.InetSocketAddress;
import java.util.UUID;

/**
 * Another member as it was last seen in the cluster.
 *
 * @param incarnation a number that its process drew at random when it started
 * @param id Hazelcast's id of the member
 * @param hazelcast address of its Hazelcast
 * @param replication address of its TCP replication; null if it has none
 * @param clients where it takes clients; null if it does not
 */
public record Peer(
    String name,
    long incarnation,
    UUID id,
    InetSocketAddress hazelcast,
    InetSocketAddress replication,
    HostPort clients) {}
