package dev.weir.state.index;

import io.vertx.core.json.JsonObject;
import java.nio.ByteBuffer;

/**
 * A field of the documents of a factory that is indexed.
 *
 * @param number unique in the factory for ever; above 0
 * @param path names of members from the root of a document, by dots
 */
public record IndexField(int number, String path) {
  private static final int HEAD_BYTES = Short.BYTES;

  /** The value in a document; null if there is none, or it is null. */
  public Object valueIn(JsonObject document) {
    return valueIn(document, path);
  }

  /** The value at a path; null if there is none, or it is null. */
  public static Object valueIn(JsonObject document, String path) {
    JsonObject parent = document;
    int start = 0;
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', start)) {
      if (!(parent.getValue(path.substring(start, dot)) instanceof JsonObject next)) {
        return null;
      }
      parent = next;
      start = dot + 1;
    }
    return parent.getValue(path.substring(start));
  }

  /** An index entry without the key: what all entries of this value begin with. */
  public byte[] prefix(byte[] value) {
    return ByteBuffer.allocate(HEAD_BYTES + value.length)
        .putShort((short) number)
        .put(value)
        .array();
  }

  /** What all entries of the field begin with. */
  public byte[] prefix() {
    return prefix(new byte[0]);
  }

  /**
   * The entry of a document.
   *
   * @return null if the document has no value that is indexed
   */
  byte[] entry(JsonObject document, byte[] key) {
    byte[] value = IndexValue.of(valueIn(document));
    return value == null
        ? null
        : ByteBuffer.allocate(HEAD_BYTES + value.length + key.length)
            .putShort((short) number)
            .put(value)
            .put(key)
            .array();
  }

  /** The key in an entry of a field. */
  public static byte[] keyOf(byte[] entry) {
    int start = HEAD_BYTES + IndexValue.length(entry, HEAD_BYTES);
    byte[] key = new byte[entry.length - start];
    System.arraycopy(entry, start, key, 0, key.length);
    return key;
  }
}
