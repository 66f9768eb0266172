package dev.weir.state;

/**
 * The reasons why an operation on a document failed, each with its code. A requester on the event
 * bus sees the {@link #code()} as {@code failureCode()} of a {@code ReplyException}.
 */
public enum DocumentFailure {
  /** The operation, its body or its key is malformed. */
  BAD_REQUEST(400),
  /** There is no document of that key, or it has expired. */
  NOT_FOUND(404),
  /** The factory is immutable: its documents are created and deleted, never changed. */
  IMMUTABLE(405),
  /** A document of that key exists. */
  EXISTS(409),
  /** The store is closing or closed. */
  CLOSED(410),
  /** The document has not the version that the operation expects. */
  VERSION_MISMATCH(412),
  /** The key or the document is larger than the factory takes, or than the heap lets in. */
  TOO_LARGE(413),
  /** The factory's validator or action refused the change. */
  REFUSED(422),
  /** A JSON Patch cannot be applied to the document, or a test in it failed. */
  PATCH_FAILED(460),
  /** The log of changes has not all changes behind the position that was asked for. */
  CHANGES_GONE(461),
  /** The factory's validator or action threw an unexpected exception. */
  RULE_FAILED(500),
  /** Versions are asked for, and the factory is replicated, which keeps none. */
  UNSUPPORTED(501),
  /** Too many bytes of operations, queries or streams are under way. */
  BUSY(503),
  /** The file system has too little free space. */
  DISK_FULL(507),
  /** There is no heap left for documents of factories that are only in memory. */
  MEMORY_FULL(508),
  /** The store cannot use its files at the moment. Whether a change was made is not known. */
  STORE_FAILED(520),
  /** The document as it is stored cannot be decoded. */
  UNREADABLE(521),
  /** The factory is replicated, and too few members can be reached at the moment. */
  UNAVAILABLE(532);

  private final int code;

  DocumentFailure(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
