package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.transport.hazelcast.HazelcastNode;
import dev.weir.cluster.transport.tcp.TcpNode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A member in a process of its own that sends back every frame, until its standard input ends. */
public final class TransportChild {
  private TransportChild() {}

  /**
   * @param args {@code SPIN} or {@code BLOCK}, its name, {@code tcp} or {@code hazelcast}; then for
   *     TCP the other's name, incarnation and port, for Hazelcast its own port, the other's address
   *     and after how many seconds a member is removed
   */
  public static void main(String[] args) throws IOException {
    QuietLog.set();
    Waiting waiting = Waiting.valueOf(args[0]);
    String self = args[1];
    GroupOptions options = TransportTestBase.group(waiting, "a", "b");
    try (TransportNode node = args[2].equals("tcp") ? tcp(self, args) : hazelcast(self, args)) {
      TestMember member = new TestMember(node, options, self, TransportChild::sendingBack);
      while (System.in.read() >= 0) {
        // Nothing is said to it: the end of the stream is the end of the test.
      }
      member.close();
    }
  }

  private static TestMember.OnFrame sendingBack(TestMember member) {
    ByteBuffer answer = TransportTestBase.buffer();
    return (from, frame) -> member.sendAll(from, answer, frame.remaining());
  }

  private static TransportNode hazelcast(String self, String[] args) {
    return new HazelcastNode(
        new NodeOptions()
            .setMemberName(self)
            .setPort(Integer.parseInt(args[3]))
            .setJoin(List.of(args[4]))
            .setMemberTimeoutS(Integer.parseInt(args[5])));
  }

  private static TransportNode tcp(String self, String[] args) {
    Map<String, Peer> addresses = new ConcurrentHashMap<>();
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(args[5]));
    addresses.put(args[3], TcpNode.peer(args[3], Long.parseLong(args[4]), address));
    TcpNode node = new TcpNode(new NodeOptions().setMemberName(self), addresses);
    Peer own = addresses.get(self);
    System.out.println("listens " + own.incarnation() + " " + own.replication().getPort());
    return node;
  }
}
