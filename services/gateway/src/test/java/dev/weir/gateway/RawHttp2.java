package dev.weir.gateway;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A client of HTTP/2 without TLS that sends the frames it likes, with headers as they are. */
final class RawHttp2 implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  private static final int PRIORITY = 0x20;

  private static final int PATIENCE_MS = 30_000;
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /**
   * A frame of the server.
   *
   * @param flags as sent
   */
  record Frame(int type, int flags, int stream, byte[] payload) {
    /** The header block of a HEADERS frame without padding. */
    byte[] block() {
      return Arrays.copyOfRange(payload, (flags & PRIORITY) == 0 ? 0 : 5, payload.length);
    }
  }

  private final Socket socket;
  private final DataInputStream in;

  RawHttp2(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(PATIENCE_MS);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    send(SETTINGS, 0, 0, new byte[0]);
  }

  RawHttp2 send(int type, int flags, int stream, byte[] payload) throws IOException {
    socket
        .getOutputStream()
        .write(
            ByteBuffer.allocate(9 + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array());
    return this;
  }

  /** A header field that is not indexed and not compressed. */
  static byte[] header(String name, String value) {
    ByteArrayOutputStream field = new ByteArrayOutputStream();
    field.write(0);
    text(field, name);
    text(field, value);
    return field.toByteArray();
  }

  private static void text(ByteArrayOutputStream out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length > 126) {
      throw new IllegalArgumentException("longer than 126 bytes: " + text);
    }
    out.write(bytes.length);
    out.writeBytes(bytes);
  }

  /** The next frame, or null if the server has closed. */
  Frame next() throws IOException {
    try {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt();
      return new Frame(type, flags, stream, in.readNBytes(length));
    } catch (EOFException | SocketException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
