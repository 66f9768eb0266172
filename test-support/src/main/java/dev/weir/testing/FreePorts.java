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
  static final int FIRST_PORT = 20_000;

  static final int BLOCK = 100;
  private static final int BLOCKS = 60;
  private static final int ATTEMPTS = 1_000;

  /**
   * Listens for as long as this JVM runs, on the first port of a block that is then this JVM's:
   * other JVMs that run tests at the same time take no port that a test here has found, not even
   * while the process that it is for restarts.
   */
  private static final ServerSocket CLAIM = claim();

  private FreePorts() {}

  public static int one() {
    return find(1).get(0);
  }

  /** So many, each another. */
  public static List<Integer> find(int count) {
    List<Integer> ports = new ArrayList<>();
    int first = CLAIM.getLocalPort() + 1;
    for (int i = 0; i < ATTEMPTS && ports.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(first, CLAIM.getLocalPort() + BLOCK);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new AssertionError("fewer than " + count + " free ports from " + first + " on");
    }
    return List.copyOf(ports);
  }

  private static ServerSocket claim() {
    for (int block = 0; block < BLOCKS; block++) {
      try {
        return listen(FIRST_PORT + block * BLOCK);
      } catch (IOException e) {
        // Another JVM has this block.
      }
    }
    throw new AssertionError("no free block of ports from " + FIRST_PORT + " on");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = listen(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }
}
