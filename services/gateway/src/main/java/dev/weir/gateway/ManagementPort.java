package dev.weir.gateway;

/** Rules for the option {@link GatewayOptions#setManagementPort}. */
public final class ManagementPort {
  private static final int MAX_PORT = 65_535;

  /** By so much the default management port of a program is above its port. */
  private static final int DISTANCE = 1_000;

  /** The largest body of a request to the management port. */
  private static final int MAX_BODY_BYTES = 64 << 10;

  private static final int MAX_CONNECTIONS = 1_000;
  private static final int MAX_REQUESTS = 1_000;
  private static final int MAX_BODIES_BYTES = 4 << 20;

  private ManagementPort() {}

  /**
   * The management port that a program has by default: 1,000 above its port, or below it where no
   * port is left above. 0 for 0, which is any free port.
   */
  public static int defaultFor(int port) {
    if (port == 0) {
      return 0;
    }
    return port + DISTANCE <= MAX_PORT ? port + DISTANCE : port - DISTANCE;
  }

  /**
   * Checks the two ports together.
   *
   * @throws IllegalArgumentException if both are the same
   */
  public static void check(GatewayOptions options) {
    if (options.getPort() > 0 && options.getPort() == options.getManagementPort()) {
      throw new IllegalArgumentException(
          "managementPort is "
              + options.getManagementPort()
              + ", which is port too; allowed is another port, or -1 to serve all on port");
    }
  }

  static boolean isIn(GatewayOptions options) {
    return options.getManagementPort() >= 0;
  }

  /**
   * The options of the management port's listener, derived from those of a gateway. Limits suit
   * probes and operators and do not depend on the limits for clients of services.
   */
  static GatewayOptions listenerOptions(GatewayOptions options) {
    return new GatewayOptions(options)
        .setPort(options.getManagementPort())
        .setLimits(
            options
                .getLimits()
                .setMaxConnections(MAX_CONNECTIONS)
                .setMaxConnectionsPerPeer(0)
                .setMaxRequestsInFlight(MAX_REQUESTS)
                .setMaxBodyBytesInFlight(MAX_BODIES_BYTES))
        .setMaxBodyBytes(MAX_BODY_BYTES);
  }
}
