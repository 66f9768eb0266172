package dev.weir.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Connections that cost their client little and a server much: they send and never read. All calls
 * by one thread.
 */
public final class HostileClient implements AutoCloseable {
  /** A connection that takes nothing for so long is full, or closed by the server. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final int RECEIVE_BUFFER_BYTES = 4 << 10;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int CANCEL = 8;
  private static final int END_STREAM_AND_HEADERS = 5;
  private static final int INITIAL_WINDOW_SIZE = 4;
  private static final int NO_MASK_BYTES = 4;
  private static final int BINARY_MESSAGE = 0x82;
  private static final int FIRST_FRAME = 0x02;

  /** A server that is silent for so long during the handshake of TLS has refused the client. */
  private static final int HANDSHAKE_MS = 20_000;

  private static final int HANDSHAKES_TOGETHER = 300;

  private final int port;

  /** Null for connections without TLS. */
  private final SSLContext tls;

  private final List<SocketChannel> open = new ArrayList<>();

  /** A client of a port of this machine; nothing is opened yet. */
  public HostileClient(int port) {
    this(port, null);
  }

  /**
   * The same.
   *
   * @param tls of {@link #leave}, the only call that is made over TLS; null for none
   */
  public HostileClient(int port, SSLContext tls) {
    this.port = port;
    this.tls = tls;
  }

  /** Opens connections, and writes the same to each as far as the server takes it. */
  public void send(int connections, byte[] bytes) throws IOException {
    List<SocketChannel> channels = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      SocketChannel channel = SocketChannel.open();
      channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
      try {
        channel.connect(new InetSocketAddress("127.0.0.1", port));
        channel.configureBlocking(false);
        channels.add(channel);
      } catch (IOException refused) {
        channel.close();
      }
    }
    open.addAll(channels);
    write(channels, bytes);
  }

  /**
   * Opens connections one after the other, and leaves each as soon as it has sent something, every
   * other one by a reset: the server reads a request whose client is gone, or will be at once. Over
   * TLS some hundred connections shake hands before the first of them sends a request. A handshake
   * takes so long that the server would otherwise have answered the connection before.
   *
   * @param bytes what the connection of a number sends
   */
  public void leave(int connections, IntFunction<byte[]> bytes) throws IOException {
    boolean http2 = new String(bytes.apply(0), StandardCharsets.US_ASCII).startsWith(PREFACE);
    int together = tls == null ? 1 : HANDSHAKES_TOGETHER;
    for (int first = 0; first < connections; first += together) {
      int end = Math.min(first + together, connections);
      List<Socket> sockets = new ArrayList<>();
      for (int i = first; i < end; i++) {
        sockets.add(connect(http2));
      }
      for (int i = first; i < end; i++) {
        leave(sockets.get(i - first), bytes.apply(i), i % 2 == 1);
      }
    }
  }

  /** A closed socket if the server refuses the client. */
  private Socket connect(boolean http2) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      return tls == null ? socket : shakeHands(socket, http2 ? "h2" : "http/1.1");
    } catch (IOException refused) {
      socket.close();
      return socket;
    }
  }

  private Socket shakeHands(Socket socket, String protocol) throws IOException {
    socket.setSoTimeout(HANDSHAKE_MS);
    SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, port, true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }

  private static void leave(Socket socket, byte[] bytes, boolean reset) {
    try (socket) {
      socket.getOutputStream().write(bytes);
      socket.setSoLinger(reset, 0);
    } catch (IOException closedByTheServer) {
      // The client has left.
    }
  }

  private static void write(List<SocketChannel> channels, byte[] bytes) {
    List<ByteBuffer> left = new ArrayList<>();
    channels.forEach(channel -> left.add(ByteBuffer.wrap(bytes)));
    long progressNs = System.nanoTime();
    boolean more = true;
    while (more && System.nanoTime() - progressNs < PATIENCE_NS) {
      more = false;
      for (int i = 0; i < channels.size(); i++) {
        ByteBuffer rest = left.get(i);
        try {
          if (rest.hasRemaining() && channels.get(i).write(rest) > 0) {
            progressNs = System.nanoTime();
          }
        } catch (IOException closedByTheServer) {
          rest.position(rest.limit());
        }
        more |= rest.hasRemaining();
      }
      Thread.onSpinWait();
    }
  }

  /** Closes all connections that are open. */
  @Override
  public void close() throws IOException {
    for (SocketChannel channel : open) {
      channel.close();
    }
    open.clear();
  }

  // ---- what is sent

  /** The bytes of what is sent. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Requests over HTTP/1.1, one behind the other. */
  public static byte[] pipelined(String path, int requests) {
    return ascii(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(requests));
  }

  /**
   * Requests over HTTP/2, each on a stream of its own.
   *
   * @param window what the client takes of each reply before it gives more, which it never does
   */
  public static byte[] http2(String path, int streams, int headers, int window) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii(PREFACE));
    byte[] settings =
        ByteBuffer.allocate(6).putShort((short) INITIAL_WINDOW_SIZE).putInt(window).array();
    out.writeBytes(frame(SETTINGS, 0, 0, settings));
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    header(block, ":method", "GET");
    header(block, ":scheme", "http");
    header(block, ":path", path);
    header(block, ":authority", "localhost");
    for (int i = 0; i < headers; i++) {
      header(block, "a", "b");
    }
    for (int i = 0; i < streams; i++) {
      out.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, 1 + 2 * i, block.toByteArray()));
    }
    return out.toByteArray();
  }

  /**
   * Requests over HTTP/2 without a body, each on a stream of its own that is reset at once.
   *
   * @param headers further ones of the stream of a number
   */
  public static byte[] resetPosts(
      String path, int streams, IntFunction<Map<String, String>> headers) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ascii(PREFACE));
    out.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    byte[] cancel = ByteBuffer.allocate(Integer.BYTES).putInt(CANCEL).array();
    for (int i = 0; i < streams; i++) {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      header(block, ":method", "POST");
      header(block, ":scheme", "http");
      header(block, ":path", path);
      header(block, ":authority", "localhost");
      headers.apply(i).forEach((name, value) -> header(block, name, value));
      int stream = 1 + 2 * i;
      out.writeBytes(frame(HEADERS, END_STREAM_AND_HEADERS, stream, block.toByteArray()));
      out.writeBytes(frame(RST_STREAM, 0, stream, cancel));
    }
    return out.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Neither indexed nor compressed. */
  private static void header(ByteArrayOutputStream out, String name, String value) {
    out.write(0);
    out.write(name.length());
    out.writeBytes(ascii(name));
    out.write(value.length());
    out.writeBytes(ascii(value));
  }

  /** The handshake of a WebSocket. */
  public static byte[] handshake(String service) {
    return ascii(
        "GET /services/"
            + service
            + "/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  }

  /**
   * Text messages of a WebSocket.
   *
   * @param messages JSON objects without their braces and their id; those of one id come together
   */
  public static byte[] texts(int ids, String... messages) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < ids; i++) {
      for (String message : messages) {
        byte[] text = ascii("{\"id\":" + i + message + "}");
        out.write(0x81);
        out.write(0x80 | text.length);
        out.writeBytes(new byte[NO_MASK_BYTES]);
        out.writeBytes(text);
      }
    }
    return out.toByteArray();
  }

  /**
   * Frames of a WebSocket: the beginning of one message, or complete messages.
   *
   * @param bytes the payload of each, at most 125
   */
  public static byte[] frames(int frames, int bytes, boolean complete) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < frames; i++) {
      out.write(complete ? BINARY_MESSAGE : i == 0 ? FIRST_FRAME : 0);
      out.write(0x80 | bytes);
      out.writeBytes(new byte[NO_MASK_BYTES + bytes]);
    }
    return out.toByteArray();
  }

  /** Sends the handshakes first: what comes before their answers is refused. */
  public void sockets(int connections, String service, byte[] messages) throws IOException {
    int first = open.size();
    send(connections, handshake(service));
    List<SocketChannel> sockets = open.subList(first, open.size());
    ByteBuffer answer = ByteBuffer.allocate(RECEIVE_BUFFER_BYTES);
    long startNs = System.nanoTime();
    for (SocketChannel socket : sockets) {
      try {
        answer.clear();
        while (socket.read(answer) == 0 && System.nanoTime() - startNs < 20 * PATIENCE_NS) {
          Thread.onSpinWait();
        }
      } catch (IOException closedByTheServer) {
        // Nothing more can be sent.
      }
    }
    write(List.copyOf(sockets), messages);
  }

  /** The same, and leaves; so many times. */
  public void leaveSockets(int times, int connections, String service, byte[] messages)
      throws IOException {
    for (int i = 0; i < times; i++) {
      sockets(connections, service, messages);
      close();
    }
  }
}
