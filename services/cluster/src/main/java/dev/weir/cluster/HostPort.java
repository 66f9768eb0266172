package dev.weir.cluster;

import java.net.InetSocketAddress;

/** An address as people write it. */
public record HostPort(String host, int port) {
  private static final int MAX_PORT = 65_535;

  /**
   * Reads host:port; an IPv6 address is in brackets.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static HostPort of(String text) {
    int colon = text == null ? -1 : text.lastIndexOf(':');
    String host = colon < 1 ? "" : text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    int port;
    try {
      port = Integer.parseInt(text == null ? "" : text.substring(colon + 1));
    } catch (NumberFormatException e) {
      port = 0;
    }
    if (host.isBlank() || port < 1 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          "address is " + text + ", allowed is host:port with a port from 1 to " + MAX_PORT);
    }
    return new HostPort(host, port);
  }

  InetSocketAddress resolve() {
    return new InetSocketAddress(host, port);
  }

  @Override
  public String toString() {
    return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
  }
}
