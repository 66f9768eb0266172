package dev.weir.state;

/**
 * The headers of requests to a factory over the event bus, and of its replies. The address is
 * {@link #addressOf}. A request without a reply address is run too; nobody is told of its end.
 */
public final class BusHeaders {
  /** What to do: {@code get}, {@code create}, {@code put}, {@code replace}, ... or an action. */
  public static final String ACTION = "action";

  /** The key of the document; in requests and replies. */
  public static final String KEY = "key";

  /**
   * In a write the version that is expected, 0 for no document, {@link #ANY_VERSION} for any; in a
   * {@code get} the version that is read, absent for the current one; in a reply the version of the
   * document.
   */
  public static final String VERSION = "version";

  /** In a request: in how many milliseconds the document expires, 0 for never. */
  public static final String EXPIRY_MS = "expiry-ms";

  /** In a reply: when the document expires, in ms since 1970; absent for never. */
  public static final String EXPIRES_AT_MS = "expires-at-ms";

  /**
   * The form of a body that is a buffer: {@code application/cbor}, or absent for JSON. In a reply
   * too.
   */
  public static final String CONTENT_TYPE = "content-type";

  /**
   * In a request the form of the document in the reply: {@code application/cbor} for a buffer of
   * CBOR, {@code application/json} for a {@code JsonObject}. Absent for that of the request's body.
   */
  public static final String ACCEPT = "accept";

  /** A document of any version, but a document. */
  public static final String ANY_VERSION = "*";

  private BusHeaders() {}

  /** The address of a factory. */
  public static String addressOf(String factory) {
    return "documents." + factory;
  }
}
