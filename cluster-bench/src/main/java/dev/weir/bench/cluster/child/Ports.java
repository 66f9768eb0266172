package dev.weir.bench.cluster.child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports of the loopback address for processes that this one starts. */
public final class Ports {
  /**
   * Below those that the system gives to connections: a process that is still starting, or starts
   * again, finds its own.
   */
  private static final int FIRST_PORT = 20_000;

  private static final int LAST_PORT = 32_000;
  private static final int ATTEMPTS = 1000;

  private Ports() {}

  /** So many that were free a moment ago, each another. */
  public static int[] free(int count) throws IOException {
    int[] ports =
        IntStream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT))
            .limit(ATTEMPTS)
            .distinct()
            .filter(Ports::isFree)
            .limit(count)
            .toArray();
    if (ports.length < count) {
      throw new IOException("no free ports from " + FIRST_PORT + " to " + LAST_PORT);
    }
    return ports;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
