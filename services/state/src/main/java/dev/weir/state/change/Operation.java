package dev.weir.state.change;

import dev.weir.state.DocumentFormat;
import dev.weir.state.WriteOptions;

/**
 * An operation on one key.
 *
 * @param body an encoded object or, for {@link Kind#PATCH}, a JSON array; null for none
 * @param format of the body
 * @param action the name of the action; null for other kinds
 */
public record Operation(
    Kind kind, byte[] body, DocumentFormat format, String action, WriteOptions options) {
  /** What is to be done. */
  public enum Kind {
    GET,
    CREATE,
    PUT,
    REPLACE,
    MERGE,
    PATCH,
    DELETE,
    ACT,
    /** Deletes the document if it has expired. */
    EXPIRE
  }

  public static final Operation GET = of(Kind.GET, WriteOptions.DEFAULT);
  public static final Operation EXPIRE = of(Kind.EXPIRE, WriteOptions.DEFAULT);

  /** An operation without a body. */
  public static Operation of(Kind kind, WriteOptions options) {
    return new Operation(kind, null, DocumentFormat.JSON, null, options);
  }

  /** The length of the body; 0 for none. */
  public int bodyBytes() {
    return body == null ? 0 : body.length;
  }

  /** A GET does not look at what is being written. */
  public boolean isRead() {
    return kind == Kind.GET;
  }
}
