package dev.weir.state.change;

import dev.weir.state.WriteOptions;

/**
 * An operation on one key.
 *
 * @param body an encoded JSON object or, for {@link Kind#PATCH}, a JSON array; null for none
 * @param action the name of the action; null for other kinds
 */
public record Operation(Kind kind, byte[] body, String action, WriteOptions options) {
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

  public static final Operation GET = new Operation(Kind.GET, null, null, WriteOptions.DEFAULT);
  public static final Operation EXPIRE =
      new Operation(Kind.EXPIRE, null, null, WriteOptions.DEFAULT);

  /** The length of the body; 0 for none. */
  public int bodyBytes() {
    return body == null ? 0 : body.length;
  }

  /** A GET does not look at what is being written. */
  public boolean isRead() {
    return kind == Kind.GET;
  }
}
