package dev.weir.cluster.transport.tcp;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a member, and knows of each what its greeting asked for. */
final class Forwarder implements AutoCloseable {
  private final ServerSocket server;
  private final InetSocketAddress to;
  private final List<String> greetings = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();

  /** It behaves as a member that knows no trunks. */
  private volatile boolean withoutTrunks;

  /** What is on its way over connections of before this one does not arrive. */
  private volatile int cut;

  Forwarder(InetSocketAddress to) throws IOException {
    this.to = to;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  /** The greetings of all connections that began with one. */
  List<String> greetings() {
    return greetings;
  }

  void withoutTrunks() {
    withoutTrunks = true;
  }

  /** Nothing passes any more over the connections of now, which stay open. */
  void cut() {
    cut = sockets.size();
  }

  private void start(Runnable task) {
    Thread thread = new Thread(task, "test-forwarder");
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket from = server.accept();
        sockets.add(from);
        int number = sockets.size();
        start(() -> forward(from, number));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void forward(Socket from, int number) {
    try (from) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      byte[] hello = new byte[in.readInt()];
      in.readFully(hello);
      String text = new String(hello, StandardCharsets.ISO_8859_1);
      greetings.add(text);
      if (withoutTrunks && text.contains("@trunk-")) {
        ByteBuffer later = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
        Hello.encodeLater(later);
        from.getOutputStream().write(later.array(), 0, later.limit());
        return;
      }
      try (Socket there = new Socket(to.getAddress(), to.getPort())) {
        OutputStream out = there.getOutputStream();
        out.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, hello.length).array());
        out.write(hello);
        InputStream back = there.getInputStream();
        start(() -> pass(back, from, number));
        pass(in, there, number);
      }
    } catch (IOException e) {
      // A probe, or the end of the test.
      closeQuietly(from);
    }
  }

  private void pass(InputStream in, Socket out, int number) {
    byte[] buffer = new byte[8 << 10];
    try {
      for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
        if (number > cut) {
          out.getOutputStream().write(buffer, 0, bytes);
        }
      }
      out.close();
    } catch (IOException e) {
      closeQuietly(out);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    sockets.forEach(Forwarder::closeQuietly);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
