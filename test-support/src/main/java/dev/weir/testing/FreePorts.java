package dev.weir.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address for processes that a test starts. */
public final class FreePorts {
  /**
   * Below those that the system gives to connections: none of these, nor that of a client which
   * asks while nobody listens, takes a port away before the process has it or while it restarts.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int LAST_PORT = 32_000;
  private static final int ATTEMPTS = 1_000;

  private FreePorts() {}

  public static int one() {
    return find(1).get(0);
  }

  /** So many, each another. */
  public static List<Integer> find(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new AssertionError("no free ports from " + FIRST_PORT + " to " + LAST_PORT);
    }
    return List.copyOf(ports);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
