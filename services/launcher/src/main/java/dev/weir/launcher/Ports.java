package dev.weir.launcher;

import java.net.BindException;

/** What our programs say of a port that they cannot have. */
public final class Ports {
  private Ports() {}

  /** The failure itself, or if it is that of a port, one that names it. */
  public static Throwable named(Throwable failure, String host, int port) {
    return failure instanceof BindException ? refused(host, port, failure) : failure;
  }

  static BindException refused(String host, int port, Throwable cause) {
    BindException refused =
        new BindException(
            "port " + port + " cannot be had on host " + host + ": " + cause.getMessage());
    refused.initCause(cause);
    return refused;
  }
}
