package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.state.DocumentException;
import java.nio.charset.StandardCharsets;

/** Checks the keys of documents. */
public final class Keys {
  private Keys() {}

  /**
   * A key in UTF-8.
   *
   * @throws DocumentException if the factory does not take it
   */
  static byte[] bytes(FactoryCore factory, String key) {
    return bytes(key, factory.options().getMaxKeyBytes());
  }

  /**
   * A key in UTF-8.
   *
   * @param most bytes that a key may have
   * @throws DocumentException if it is none, or has more
   */
  public static byte[] bytes(String key, int most) {
    if (key == null || key.isEmpty()) {
      throw new DocumentException(BAD_REQUEST, "the key is missing or empty");
    }
    if (key.length() <= most) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      if (bytes.length <= most) {
        if (isHalved(key)) {
          throw new DocumentException(BAD_REQUEST, "the key has half a character (a surrogate)");
        }
        return bytes;
      }
    }
    throw new DocumentException(
        TOO_LARGE, "the key has " + key.length() + " characters, allowed are " + most + " bytes");
  }

  /** Whether there is a surrogate without its other half, which has no form in UTF-8. */
  private static boolean isHalved(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (Character.isSurrogate(key.charAt(i))) {
        return !StandardCharsets.UTF_8.newEncoder().canEncode(key);
      }
    }
    return false;
  }
}
