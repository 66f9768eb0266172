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

  /**
   * Listens for as long as this JVM runs, on the first port of a block that is then this JVM's:
   * other JVMs that run tests at the same time take no port that a test here has found, not even
   * while the process that it is for restarts.
   */
  private static final ServerSocket CLAIM = claim();

  /**
   * Place in the block of the port that was looked at last; guarded by the class. Ports are looked
   * at in turn: one that was found is not found again before all others, though nobody listens yet.
   */
  private static int last = ThreadLocalRandom.current().nextInt(BLOCK);

  private FreePorts() {}

  public static int one() {
    return find(1).get(0);
  }

  /** So many, each another. */
  public static synchronized List<Integer> find(int count) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 1; i < BLOCK && ports.size() < count; i++) {
      last = last % (BLOCK - 1) + 1;
      int port = CLAIM.getLocalPort() + last;
      if (isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new AssertionError(
          "fewer than " + count + " free ports behind " + CLAIM.getLocalPort());
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
