package dev.weir.bench.cluster.network;

import dev.weir.bench.cluster.child.Ports;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * A network of members on the loopback address that reach each other through proxies in this
 * process. It replaces a {@link BridgeNetwork} for users without root. While it is cut, a proxy
 * accepts connections but forwards nothing: bytes, closed connections and new connections are
 * forwarded when the cut ends. Members must not be killed: a proxy accepts connections for a member
 * that does not run.
 */
public final class ProxyNetwork implements MemberNetwork {
  private static final String HOST = "127.0.0.1";
  private static final int PORTS = 5;
  private static final int BUFFER_BYTES = 64 << 10;

  private final List<MemberAddress> members = new ArrayList<>();
  // Guarded by this.
  private final List<Closeable> sockets = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean cut;
  private boolean closed;

  /**
   * Starts the proxies.
   *
   * @throws IOException if there are not enough free ports
   */
  public ProxyNetwork(List<String> names) throws IOException {
    boolean made = false;
    try {
      int[] ports = Ports.free(PORTS * names.size());
      for (int i = 0; i < names.size(); i++) {
        int at = PORTS * i;
        listen(ports[at + 3], ports[at]);
        listen(ports[at + 4], ports[at + 1]);
        members.add(
            new MemberAddress(
                names.get(i),
                HOST,
                ports[at],
                ports[at + 1],
                ports[at + 2],
                ports[at + 3],
                ports[at + 4]));
      }
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  /** Work of a proxy's thread; a failure of a connection ends it. */
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private synchronized void start(Work work) {
    if (closed) {
      return;
    }
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException | InterruptedException e) {
                // The connection, or the network, has ended.
              }
            },
            "bench-proxy");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private synchronized <S extends Closeable> S opened(S socket) throws IOException {
    sockets.add(socket);
    if (closed) {
      socket.close();
    }
    return socket;
  }

  private void listen(int port, int targetPort) throws IOException {
    ServerSocket server = opened(new ServerSocket(port, 0, InetAddress.getByName(HOST)));
    start(
        () -> {
          while (true) {
            Socket near = opened(server.accept());
            start(() -> forward(near, targetPort));
          }
        });
  }

  private void forward(Socket near, int targetPort) throws IOException, InterruptedException {
    try (near) {
      awaitLink();
      try (Socket far = opened(new Socket(HOST, targetPort))) {
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        start(() -> copy(far, near));
        copy(near, far);
      }
    }
  }

  /** Copies what comes, and closes both ends when one is closed. */
  private void copy(Socket from, Socket to) throws IOException, InterruptedException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      for (int bytes = read(from, buffer); bytes >= 0; bytes = read(from, buffer)) {
        awaitLink();
        to.getOutputStream().write(buffer, 0, bytes);
      }
      awaitLink();
    }
  }

  private static int read(Socket from, byte[] buffer) {
    try {
      return from.getInputStream().read(buffer);
    } catch (IOException e) {
      // A reset is the end too, and is seen by the other side when the cut ends.
      return -1;
    }
  }

  private synchronized void awaitLink() throws InterruptedException {
    while (cut) {
      wait();
    }
  }

  @Override
  public List<MemberAddress> members() {
    return List.copyOf(members);
  }

  @Override
  public synchronized void cut() {
    cut = true;
  }

  @Override
  public synchronized void mend() {
    cut = false;
    notifyAll();
  }

  @Override
  public void close() {
    List<Thread> running;
    synchronized (this) {
      closed = true;
      mend();
      for (Closeable socket : sockets) {
        try {
          socket.close();
        } catch (IOException e) {
          // It is of no more use anyway.
        }
      }
      running = List.copyOf(threads);
    }
    try {
      for (Thread thread : running) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
