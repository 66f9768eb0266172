package dev.weir.gateway.limits;

/** The reasons why the gateway closes the connection of a slow client. */
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
