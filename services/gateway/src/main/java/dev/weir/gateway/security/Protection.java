package dev.weir.gateway.security;

import dev.weir.gateway.GatewayOptions;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether a gateway may listen on its address with the protection it has. */
public final class Protection {
  private static final Logger LOG = LoggerFactory.getLogger(Protection.class);

  private Protection() {}

  /** Whether only this machine can reach an address; a name is not looked up. */
  public static boolean isLoopback(String host) {
    if (host.equalsIgnoreCase("localhost")) {
      return true;
    }
    InetAddress address = NetUtil.createInetAddressFromIpAddressString(host);
    return address != null && address.isLoopbackAddress();
  }

  /**
   * @throws IllegalArgumentException if others could reach a gateway without TLS or without data
   *     tokens, and the options do not say that this is meant
   */
  public static void require(GatewayOptions options, boolean tls, boolean dataTokens) {
    if (isLoopback(options.getHost())) {
      return;
    }
    List<String> lacks = new ArrayList<>();
    if (!tls) {
      lacks.add("TLS");
    }
    if (!dataTokens) {
      lacks.add("data tokens");
    }
    if (lacks.isEmpty()) {
      return;
    }
    String lack = String.join(" and ", lacks);
    if (!options.isUnprotectedAllowed()) {
      throw new IllegalArgumentException(
          "host is %s, which others can reach, without %s: configure them, listen on %s, or set unprotectedAllowed to true if something else protects this port"
              .formatted(options.getHost(), lack, GatewayOptions.DEFAULT_HOST));
    }
    LOG.warn(
        "The gateway listens on {} without {}: whoever reaches this port can use it",
        options.getHost(),
        lack);
  }
}
