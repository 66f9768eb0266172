package dev.weir.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A client that sends what it likes. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MS = 30_000;

  private final Socket socket;

  RawClient(int port) throws IOException {
    this(port, 0);
  }

  /**
   * @param receiveBufferBytes 0 for as the system likes
   */
  RawClient(int port, int receiveBufferBytes) throws IOException {
    socket = new Socket();
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    socket.connect(
        new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** One byte more, if anybody still takes it. */
  void trickle() {
    try {
      send(new byte[1]);
    } catch (IOException e) {
      // The server has closed.
    }
  }

  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** The first line of what comes next, or null at the end. */
  String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int next = socket.getInputStream().read();
    while (next >= 0 && next != '\n') {
      line.append((char) next);
      next = socket.getInputStream().read();
    }
    return next < 0 && line.isEmpty() ? null : line.toString().strip();
  }

  /** All until the server closes. */
  String rest() throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (SocketException e) {
      return "";
    }
  }

  /** Whether the server has closed; waits for it. */
  boolean isClosed() throws IOException {
    rest();
    return true;
  }

  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
