package dev.weir.gateway.limits;

/** Why a connection is closed on a client that takes too long. */
public enum Slowness {
  /** The headers of a request did not come. */
  HEADER,
  /** The body of a request did not come. */
  BODY,
  /** There was no request. */
  IDLE,
  /** What was sent was not taken. */
  WRITE
}
