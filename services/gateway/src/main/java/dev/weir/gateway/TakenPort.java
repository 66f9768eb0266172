package dev.weir.gateway;

import java.net.BindException;

/** The error for a port that is taken or cannot be bound: it names the port and the host. */
public final class TakenPort {
  private TakenPort() {}

  /** The failure itself, or if it is a failure to bind, one that names the port. */
  static Throwable named(Throwable failure, String host, int port) {
    return failure instanceof BindException ? refused(host, port, failure) : failure;
  }

  /**
   * @param cause why it cannot be bound; its message becomes part of the new one
   */
  public static BindException refused(String host, int port, Throwable cause) {
    BindException refused =
        new BindException(
            "port " + port + " cannot be had on host " + host + ": " + cause.getMessage());
    refused.initCause(cause);
    return refused;
  }
}
