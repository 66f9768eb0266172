package dev.weir.bench.cluster.network;

import dev.weir.bench.cluster.child.Ports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A network of members on the loopback address with different ports. It cannot be cut. */
public final class LoopbackNetwork implements MemberNetwork {
  private static final String HOST = "127.0.0.1";
  private static final int PORTS = 3;

  private final List<MemberAddress> members = new ArrayList<>();

  public LoopbackNetwork(List<String> names) throws IOException {
    int[] ports = Ports.free(PORTS * names.size());
    for (int i = 0; i < names.size(); i++) {
      int first = PORTS * i;
      members.add(
          new MemberAddress(names.get(i), HOST, ports[first], ports[first + 1], ports[first + 2]));
    }
  }

  @Override
  public List<MemberAddress> members() {
    return List.copyOf(members);
  }
}
