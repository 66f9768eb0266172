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

  /** Each JVM of a module's tests has its own, so that none takes the port that another found. */
  private static final int PORTS_OF_A_FORK = 3_000;

  private static final int FORKS = 4;
  private static final int ATTEMPTS = 1_000;

  private FreePorts() {}

  public static int one() {
    return find(1).get(0);
  }

  /** So many, each another. */
  public static List<Integer> find(int count) {
    List<Integer> ports = new ArrayList<>();
    int first = FIRST_PORT + Integer.getInteger("weir.testFork", 0) % FORKS * PORTS_OF_A_FORK;
    for (int i = 0; i < ATTEMPTS && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(first, first + PORTS_OF_A_FORK);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new AssertionError(
          "no free ports of the " + PORTS_OF_A_FORK + " from " + first + " on");
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
