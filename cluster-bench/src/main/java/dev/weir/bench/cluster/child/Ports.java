package dev.weir.bench.cluster.child;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Finds free ports of the loopback address for child processes. */
public final class Ports {
  /**
   * Below the ports that the system gives to outgoing connections. None of these takes the port of
   * a process that is still starting, or starts again.
   */
  private static final int FIRST_PORT = 26_000;

  private static final int LAST_PORT = 32_000;
  private static final int ATTEMPTS = 1000;

  private Ports() {}

  /** Different ports that were free a moment ago. */
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
