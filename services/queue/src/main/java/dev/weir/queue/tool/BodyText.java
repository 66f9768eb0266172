package dev.weir.queue.tool;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/**
 * A body, or its beginning, in a form that can be printed.
 *
 * @param text the bytes as text if they are printable UTF-8, otherwise null
 * @param base64 the bytes if they are not text, otherwise null
 * @param shownBytes how many of the body are in it
 */
record BodyText(String text, String base64, int shownBytes) {

  static BodyText of(byte[] body, int maxBytes) {
    int length = Math.min(body.length, maxBytes);
    ByteBuffer bytes = ByteBuffer.wrap(body, 0, length);
    String text = text(bytes, length < body.length);
    if (text != null) {
      return new BodyText(text, null, bytes.position());
    }
    byte[] shown = Arrays.copyOf(body, length);
    return new BodyText(null, Base64.getEncoder().encodeToString(shown), length);
  }

  /** The whole body as text, or null if it is not printable UTF-8. */
  static String text(byte[] body) {
    return text(ByteBuffer.wrap(body), false);
  }

  private static String text(ByteBuffer bytes, boolean cut) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer chars = CharBuffer.allocate(bytes.remaining());
    // A body that is cut may end inside a character, which is then left out.
    CoderResult result = decoder.decode(bytes, chars, !cut);
    try {
      if (result.isError()) {
        result.throwException();
      }
    } catch (CharacterCodingException e) {
      return null;
    }
    String text = chars.flip().toString();
    return text.codePoints().allMatch(BodyText::isPrintable) ? text : null;
  }

  private static boolean isPrintable(int codePoint) {
    return codePoint == '\n'
        || codePoint == '\r'
        || codePoint == '\t'
        || !Character.isISOControl(codePoint) && Character.isDefined(codePoint);
  }
}
