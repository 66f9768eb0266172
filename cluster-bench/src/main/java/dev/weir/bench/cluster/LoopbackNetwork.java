package dev.weir.bench.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Members on the loopback address, told apart by their ports. Cannot be cut. */
final class LoopbackNetwork implements MemberNetwork {
  private static final String HOST = "127.0.0.1";
  private static final int PORTS = 3;

  /** Below those that the system gives to connections: a member that restarts finds its own. */
  private static final int FIRST_PORT = 20_000;

  private static final int LAST_PORT = 32_000;
  private static final int ATTEMPTS = 1000;

  private final List<MemberAddress> members = new ArrayList<>();

  LoopbackNetwork(List<String> names) throws IOException {
    List<Integer> ports = freePorts(PORTS * names.size());
    for (int i = 0; i < names.size(); i++) {
      int first = PORTS * i;
      members.add(
          new MemberAddress(
              names.get(i), HOST, ports.get(first), ports.get(first + 1), ports.get(first + 2)));
    }
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new IOException("no free ports from " + FIRST_PORT + " to " + LAST_PORT);
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public List<MemberAddress> members() {
    return List.copyOf(members);
  }

  @Override
  public List<String> launcher(int member) {
    return List.of();
  }

  @Override
  public void cut() throws IOException {
    throw new IOException("members on one address cannot be cut off from each other");
  }

  @Override
  public void mend() {
    // Never cut.
  }

  @Override
  public void close() {
    // Nothing was made.
  }
}
