package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TransportNode;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A TCP endpoint that is found through a map instead of Hazelcast. */
public class TcpNode implements TransportNode {
  private static final AtomicLong INCARNATIONS = new AtomicLong(System.nanoTime());

  private final Map<String, Peer> addresses;
  private final TcpEndpoint endpoint;
  private final boolean sharesReader;

  public TcpNode(NodeOptions options, Map<String, Peer> addresses) {
    this(options, addresses, false);
  }

  TcpNode(NodeOptions options, Map<String, Peer> addresses, boolean sharesReader) {
    this.addresses = addresses;
    this.sharesReader = sharesReader;
    long incarnation = INCARNATIONS.incrementAndGet();
    endpoint = new TcpEndpoint(options, incarnation);
    addresses.put(
        options.getMemberName(), peer(options.getMemberName(), incarnation, endpoint.address()));
  }

  public static Peer peer(String name, long incarnation, InetSocketAddress address) {
    return new Peer(name, incarnation, null, null, address, null);
  }

  @Override
  public TcpTransport transport(GroupOptions options, String self) {
    return transport(options, self, new GroupThreads(options, duty -> {}, sharesReader));
  }

  TcpTransport transport(GroupOptions options, String self, GroupThreads threads) {
    return new TcpTransport(
        endpoint, addresses::get, options, GroupAgreement.of(options, "test"), self, threads);
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
