package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.TransportChild;
import dev.weir.cluster.transport.TransportCrashTest;
import dev.weir.cluster.transport.TransportNode;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

abstract class TcpTransportTest extends TransportCrashTest {
  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();

  @Override
  public final TransportNode openNode(String name) {
    return new TcpNode(new NodeOptions().setMemberName(name), addresses, sharesReader());
  }

  /** Whether the threads of the member read the links of its groups. */
  boolean sharesReader() {
    return false;
  }

  @Override
  public final ChildJvm openChild(String name) throws IOException {
    Peer other = addresses.get(name.equals("a") ? "b" : "a");
    ChildJvm child =
        ChildJvm.start(
            TransportChild.class,
            waiting().name(),
            name,
            "tcp",
            other.name(),
            "" + other.incarnation(),
            "" + other.replication().getPort());
    String[] listens = child.await("listens ").split(" ");
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(listens[1]));
    addresses.put(name, TcpNode.peer(name, Long.parseLong(listens[0]), address));
    return child;
  }
}
