package dev.weir.queue.je;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.queue.MessageOptions;
import java.nio.ByteBuffer;

/**
 * The bytes of {@link MessageOptions} before a body. Flags say which options follow, in this order:
 *
 * <pre>
 *  2 id          short length, UTF-8
 *  4 expiry      long, ms since 1970
 *  8 key         short length, UTF-8
 * 16 not before  long, ms since 1970
 * </pre>
 */
public final class OptionsCodec {
  private static final int ID = 2;
  private static final int EXPIRES = 4;
  private static final int KEY = 8;
  private static final int NOT_BEFORE = 16;
  static final int FLAGS = ID | EXPIRES | KEY | NOT_BEFORE;

  private OptionsCodec() {}

  /**
   * @param options may be null
   */
  static int flags(MessageOptions options) {
    if (options == null) {
      return 0;
    }
    return (options.id() == null ? 0 : ID)
        | (options.expiresAtMs() == 0 ? 0 : EXPIRES)
        | (options.key() == null ? 0 : KEY)
        | (options.notBeforeMs() == 0 ? 0 : NOT_BEFORE);
  }

  /**
   * @param options may be null
   */
  static void write(MessageOptions options, ByteBuffer out) {
    if (options == null) {
      return;
    }
    if (options.id() != null) {
      writeText(options.id(), out);
    }
    if (options.expiresAtMs() != 0) {
      out.putLong(options.expiresAtMs());
    }
    if (options.key() != null) {
      writeText(options.key(), out);
    }
    if (options.notBeforeMs() != 0) {
      out.putLong(options.notBeforeMs());
    }
  }

  /**
   * @throws java.nio.BufferUnderflowException if there is less than the flags say
   * @throws IllegalArgumentException if the bytes are no options
   */
  static MessageOptions read(int flags, ByteBuffer in) {
    String id = (flags & ID) == 0 ? null : readText(in);
    long expiresAtMs = (flags & EXPIRES) == 0 ? 0 : in.getLong();
    String key = (flags & KEY) == 0 ? null : readText(in);
    long notBeforeMs = (flags & NOT_BEFORE) == 0 ? 0 : in.getLong();
    return new MessageOptions(id, key, notBeforeMs, expiresAtMs);
  }

  public static void writeText(String text, ByteBuffer out) {
    byte[] bytes = text.getBytes(UTF_8);
    out.putShort((short) bytes.length).put(bytes);
  }

  public static String readText(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort() & 0xffff];
    in.get(bytes);
    return new String(bytes, UTF_8);
  }
}
