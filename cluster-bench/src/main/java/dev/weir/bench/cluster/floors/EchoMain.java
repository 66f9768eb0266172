package dev.weir.bench.cluster.floors;

import dev.weir.bench.cluster.child.ParentWatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The main class of the TCP floor's child process, which sends back what it receives. The argument
 * is {@value #SPIN} or {@value #BLOCK}. The process prints {@value #READY} and its port.
 */
public final class EchoMain {
  static final String READY = "READY";
  static final String SPIN = "spin";
  static final String BLOCK = "block";

  private static final int BUFFER_BYTES = 64 << 10;

  private EchoMain() {}

  /** Serves one connection after the other until the parent ends. */
  public static void main(String[] args) throws IOException {
    boolean spin = args[0].equals(SPIN);
    ParentWatch.start();
    ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      System.out.println(READY + " " + server.socket().getLocalPort());
      while (true) {
        try (SocketChannel channel = server.accept()) {
          channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
          channel.configureBlocking(!spin);
          echo(channel, buffer);
        }
      }
    }
  }

  private static void echo(SocketChannel channel, ByteBuffer buffer) throws IOException {
    for (int read = channel.read(buffer); read >= 0; read = channel.read(buffer)) {
      if (read == 0) {
        Thread.onSpinWait();
      }
      buffer.flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }
  }
}
