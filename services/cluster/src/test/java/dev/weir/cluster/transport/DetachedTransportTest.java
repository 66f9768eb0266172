package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.tcp.TcpNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The contract with a sender and a dispatcher between the member and TCP. */
abstract class DetachedTransportTest extends TransportContractTest {
  private final Map<String, Peer> addresses = new ConcurrentHashMap<>();

  private record Node(TcpNode tcp) implements TransportNode {
    @Override
    public Transport transport(GroupOptions options, String self) {
      GroupOptions detached =
          new GroupOptions(options)
              .setThreads(
                  new ThreadOptions().setSender(Waiting.BLOCK).setDispatcher(Waiting.BLOCK));
      GroupThreads threads = new GroupThreads(detached, duty -> {});
      Transport sender = new DetachedSender(tcp.transport(detached, self), detached, threads);
      return new DetachedDispatcher(sender, detached, threads);
    }

    @Override
    public void close() {
      tcp.close();
    }
  }

  @Override
  public final TransportNode openNode(String name) {
    return new Node(new TcpNode(new NodeOptions().setMemberName(name), addresses));
  }
}
