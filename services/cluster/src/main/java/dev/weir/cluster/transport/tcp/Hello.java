package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.GroupAgreement;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The greeting that each end of a connection sends before the first frame.
 *
 * <pre>
 * int bytes that follow, int magic, byte version, byte kind, then by kind:
 * HELLO, WELCOME  long incarnation, int port, then as texts: cluster, group, its
 *                 {@link GroupAgreement}, name of the sender, name of the other side, host
 * REFUSED         the reason, as text
 * LATER           nothing: the group does not run here now
 * CHALLENGE       a random number, as text: who said HELLO has to prove that it knows the secret
 * PROOF           a random number and the proof, as texts; comes back with the other side's proof
 * ALONE           nothing: over a {@link Trunk}, the group takes connections of its own only
 * </pre>
 *
 * A text is a short length and UTF-8.
 *
 * @param agreement what both ends must share
 * @param to name of the member for which the connection is
 * @param incarnation of the sender's process
 * @param listening address at which the sender's endpoint listens
 */
record Hello(
    String cluster,
    String group,
    GroupAgreement agreement,
    String from,
    String to,
    long incarnation,
    InetSocketAddress listening) {
  static final byte HELLO = 1;
  static final byte WELCOME = 2;
  static final byte REFUSED = 3;
  static final byte LATER = 4;
  static final byte CHALLENGE = 5;
  static final byte PROOF = 6;
  static final byte ALONE = 7;

  /** Bytes of the longest greeting, without its length. */
  static final int MAX_BYTES = 4096;

  static final String OTHER_PROTOCOL = "the other side does not speak the protocol of Weir";

  static final String TLS_OFF =
      "the other side speaks TLS, which is off here: tlsCertificates is not set";

  private static final String DAMAGED = "the greeting of the other side is damaged";

  private static final int MAX_PORT = 65_535;

  /** Of IPv4 or IPv6: what the JDK takes for an address, and looks up nowhere. */
  private static final Pattern IP_ADDRESS =
      Pattern.compile(
          "OCTET(\\.OCTET){3}|[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*(%.+)?"
              .replace("OCTET", "(25[0-5]|2[0-4]\\d|1?\\d?\\d)"));

  private static final int MAGIC = 0x57454952;
  private static final byte VERSION = 2;

  /** Encodes a {@link #HELLO} or {@link #WELCOME} with its length, ready to be written. */
  void encode(byte kind, ByteBuffer out) {
    begin(kind, out).putLong(incarnation).putInt(listening.getPort());
    putText(cluster, out);
    putText(group, out);
    putText(agreement.text(), out);
    putText(from, out);
    putText(to, out);
    putText(listening.getAddress().getHostAddress(), out);
    end(out);
  }

  static void encodeRefused(String why, ByteBuffer out) {
    begin(REFUSED, out);
    putText(why, out);
    end(out);
  }

  static void encodeTexts(byte kind, ByteBuffer out, String... texts) {
    begin(kind, out);
    for (String text : texts) {
      putText(text, out);
    }
    end(out);
  }

  static void encodeLater(ByteBuffer out) {
    end(begin(LATER, out));
  }

  static void encodeAlone(ByteBuffer out) {
    end(begin(ALONE, out));
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
   * Decodes the start of a greeting, without its length.
   *
   * @return the kind; the buffer's position is at the fields of that kind
   * @throws IllegalArgumentException if it is of another protocol or version
   */
  static byte decodeKind(ByteBuffer in) {
    if (in.remaining() < 6 || in.getInt() != MAGIC) {
      throw new IllegalArgumentException(OTHER_PROTOCOL);
    }
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "the other side speaks version " + version + " of the protocol, this one " + VERSION);
    }
    return in.get();
  }

  /**
   * Decodes the fields after the kind.
   *
   * @throws IllegalArgumentException if they are damaged, or have no address in digits
   */
  static Hello decode(ByteBuffer in) {
    if (in.remaining() < Long.BYTES + Integer.BYTES) {
      throw new IllegalArgumentException(DAMAGED);
    }
    long incarnation = in.getLong();
    int port = in.getInt();
    return new Hello(
        text(in),
        text(in),
        GroupAgreement.parse(text(in)),
        text(in),
        text(in),
        incarnation,
        address(text(in), port));
  }

  /**
   * An address in digits. A name is refused without looking for it: the other side may be a
   * stranger, and the look-up of a name may hold the thread up for seconds.
   */
  private static InetSocketAddress address(String host, int port) {
    if (!IP_ADDRESS.matcher(host).matches() || port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(DAMAGED);
    }
    // The address of an interface that only the other side has stays unresolved.
    return new InetSocketAddress(host, port);
  }

  static String text(ByteBuffer in) {
    int length = in.remaining() < Short.BYTES ? -1 : in.getShort();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(DAMAGED);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
