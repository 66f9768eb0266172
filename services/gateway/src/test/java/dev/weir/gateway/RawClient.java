package dev.weir.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** A client that sends what it likes. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MS = 90_000;

  private final Socket tcp;

  /** The same, or TLS on it. */
  private Socket socket;

  RawClient(int port) throws IOException {
    this(port, 0);
  }

  /**
   * @param receiveBufferBytes 0 for as the system likes
   */
  RawClient(int port, int receiveBufferBytes) throws IOException {
    tcp = new Socket();
    socket = tcp;
    if (receiveBufferBytes > 0) {
      tcp.setReceiveBufferSize(receiveBufferBytes);
    }
    tcp.setSoTimeout(PATIENCE_MS);
    tcp.setTcpNoDelay(true);
    tcp.connect(
        new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MS);
  }

  /** Goes on within TLS, after a handshake. */
  RawClient startTls(SSLContext context) throws IOException {
    SSLSocket ssl =
        (SSLSocket) context.getSocketFactory().createSocket(tcp, "localhost", tcp.getPort(), false);
    ssl.startHandshake();
    socket = ssl;
    return this;
  }

  /** Sends beside TLS, if it was started. */
  RawClient sendOverTcp(byte[] bytes) throws IOException {
    tcp.getOutputStream().write(bytes);
    return this;
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
    if (socket != tcp) {
      tcp.shutdownOutput();
    }
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

  /** All until the server closes, in whatever way. */
  String rest() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(all);
    } catch (SocketException | SSLException e) {
      // It closed with what was sent unread, or without the end of TLS.
    }
    return all.toString(StandardCharsets.ISO_8859_1);
  }

  /** The answer to a request until the server closes; empty if it closes without one. */
  String answer(String request) throws IOException {
    try {
      send(request);
    } catch (IOException e) {
      return "";
    }
    return rest();
  }

  /**
   * Whether the text comes before the server closes; reads as far as that. A WebSocket's server
   * waits for the answer to its close frame before it closes, so a test that looks for this frame
   * need not wait for the end.
   */
  boolean brings(String text) throws IOException {
    StringBuilder all = new StringBuilder();
    int next = socket.getInputStream().read();
    while (next >= 0) {
      all.append((char) next);
      if (all.length() >= text.length() && all.indexOf(text, all.length() - text.length()) >= 0) {
        return true;
      }
      next = socket.getInputStream().read();
    }
    return false;
  }

  /** Whether the server has closed; waits for it. */
  boolean isClosed() throws IOException {
    rest();
    return true;
  }

  void reset() throws IOException {
    tcp.setSoLinger(true, 0);
    tcp.close();
  }

  /** At once: TLS itself would wait for the server. */
  @Override
  public void close() throws IOException {
    tcp.close();
  }
}
