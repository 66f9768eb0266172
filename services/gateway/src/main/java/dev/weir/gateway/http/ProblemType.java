package dev.weir.gateway.http;

/** The kinds of failures a client sees, each with its HTTP status. */
public enum ProblemType {
  BAD_REQUEST(400, "Bad request"),
  UNAUTHORIZED(401, "Token needed"),
  FORBIDDEN(403, "Not allowed"),
  NO_SERVICE(404, "No such service"),
  NOT_FOUND(404, "Not found"),
  METHOD_NOT_ALLOWED(405, "Method not allowed"),
  CONFLICT(409, "Not as expected"),
  TOO_LARGE(413, "Too large"),
  LINE_TOO_LONG(414, "Request line too long"),
  UNSUPPORTED_MEDIA_TYPE(415, "Unsupported media type"),
  EXPECTATION_FAILED(417, "Expectation failed"),
  KEY_REUSED(422, "Idempotency key reused for another request"),
  UPGRADE_REQUIRED(426, "WebSocket required"),
  BUSY(429, "Service busy"),
  DROPPED(429, "Message dropped"),
  HEADERS_TOO_LARGE(431, "Headers too large"),
  HANDLER_FAILED(500, "Handler failed"),
  LOST(500, "Message lost"),
  INTERNAL(500, "Internal error"),
  NOT_DURABLE(501, "Service keeps nothing on disk"),
  CLOSED(503, "Closing"),
  OVERLOADED(503, "Gateway overloaded"),
  DISCARDED(503, "Message discarded"),
  STORE_FAILED(503, "Store failed"),
  GROUP_UNAVAILABLE(503, "Group takes nothing"),
  DEADLINE(504, "Deadline over"),
  UNCERTAIN(504, "Outcome unknown"),
  DISK_FULL(507, "Disk full");

  public final int status;
  public final String title;

  /** The {@code type} member: a name that stays the same. */
  public final String uri;

  ProblemType(int status, String title) {
    this.status = status;
    this.title = title;
    this.uri = "urn:weir:problem:" + name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
