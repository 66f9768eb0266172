package dev.weir.cluster.transport;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What both ends of a connection say before the first frame.
 *
 * <pre>
 * int bytes that follow, int magic, byte version, byte kind, and by kind:
 * HELLO, WELCOME  long incarnation, int max frame bytes, int port, then as texts: cluster, group, its
 *                 members, name of the sender, name of the other side, host
 * REFUSED         why, as text
 * LATER           nothing: the group does not run here at the moment
 * </pre>
 *
 * A text is a short length and UTF-8.
 *
 * @param members names of the group's members in their order, as one text
 * @param listening where the sender's endpoint listens
 */
public record Hello(
    String cluster,
    String group,
    String members,
    int maxFrameBytes,
    String from,
    String to,
    long incarnation,
    InetSocketAddress listening) {
  public static final byte HELLO = 1;
  public static final byte WELCOME = 2;
  public static final byte REFUSED = 3;
  public static final byte LATER = 4;

  /** Bytes of the longest one, its length not included. */
  public static final int MAX_BYTES = 2048;

  private static final int MAGIC = 0x57454952;
  private static final byte VERSION = 1;

  /** Writes a {@link #HELLO} or {@link #WELCOME} with its length, ready to be sent. */
  public void encode(byte kind, ByteBuffer out) {
    begin(kind, out).putLong(incarnation).putInt(maxFrameBytes).putInt(listening.getPort());
    putText(cluster, out);
    putText(group, out);
    putText(members, out);
    putText(from, out);
    putText(to, out);
    putText(listening.getAddress().getHostAddress(), out);
    end(out);
  }

  public static void encodeRefused(String why, ByteBuffer out) {
    begin(REFUSED, out);
    putText(why, out);
    end(out);
  }

  public static void encodeLater(ByteBuffer out) {
    end(begin(LATER, out));
  }

  private static ByteBuffer begin(byte kind, ByteBuffer out) {
    return out.clear().putInt(0).putInt(MAGIC).put(VERSION).put(kind);
  }

  private static void end(ByteBuffer out) {
    out.putInt(0, out.position() - Integer.BYTES).flip();
  }

  private static void putText(String text, ByteBuffer out) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  /**
   * Reads the beginning, without its length.
   *
   * @return the kind; its fields are next in the buffer
   * @throws IllegalArgumentException if it is not ours or of another version
   */
  public static byte decodeKind(ByteBuffer in) {
    if (in.remaining() < 6 || in.getInt() != MAGIC) {
      throw new IllegalArgumentException("it does not speak the protocol of Weir");
    }
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "its protocol has version " + version + ", this one has " + VERSION);
    }
    return in.get();
  }

  /** Reads what follows the kind; fails with a RuntimeException if it is damaged. */
  public static Hello decode(ByteBuffer in) {
    long incarnation = in.getLong();
    int maxFrameBytes = in.getInt();
    int port = in.getInt();
    return new Hello(
        text(in),
        text(in),
        text(in),
        maxFrameBytes,
        text(in),
        text(in),
        incarnation,
        new InetSocketAddress(text(in), port));
  }

  public static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort()];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
