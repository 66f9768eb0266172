package dev.weir.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class HazelcastTransportTest extends TransportCrashTest {
  private final List<String> addresses = new ArrayList<>();

  @Override
  TransportNode openNode(String name) {
    return new HazelcastNode(options(name));
  }

  private NodeOptions options(String name) {
    NodeOptions options =
        new NodeOptions().setMemberName(name).setPort(Ports.free()).setJoin(addresses);
    addresses.add("127.0.0.1:" + options.getPort());
    return options;
  }

  @Override
  ChildJvm openChild(String name) throws IOException {
    return ChildJvm.start(
        TransportChild.class, waiting().name(), name, "" + Ports.free(), addresses.get(0));
  }

  @Override
  Waiting waiting() {
    return Waiting.BLOCK;
  }
}
