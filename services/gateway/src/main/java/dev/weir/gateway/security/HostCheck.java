package dev.weir.gateway.security;

import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.ProblemType;
import io.netty.util.NetUtil;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;

/**
 * Refuses requests whose host is not a name of the gateway. Otherwise a page of any site could have
 * its name resolve to this machine, be of the same origin as the gateway then, and read what it
 * answers (DNS rebinding). An address cannot be made to point elsewhere, so addresses are let in.
 */
public final class HostCheck implements Handler<RoutingContext> {
  private static final String ANY = "*";
  private static final String LOCALHOST = "localhost";

  private final List<String> names;
  private final Access access;

  /**
   * The host of the last request over HTTP/1 that {@link #passes}: most requests have the same.
   * Null before the first.
   */
  private String passed;

  /**
   * @param options those that name no host allow any, except on loopback
   * @param access refuses, and counts it
   */
  public HostCheck(GatewayOptions options, Access access) {
    this.access = access;
    boolean open = options.getAllowedHosts().isEmpty() && !Protection.isLoopback(options.getHost());
    names = open ? List.of(ANY) : options.getAllowedHosts();
  }

  @Override
  public void handle(RoutingContext context) {
    if (names.contains(ANY) || isAllowed(host(context.request()))) {
      context.next();
    } else {
      access.deny(
          context,
          ProblemType.FORBIDDEN,
          "the Host of the request is no name of this gateway, see its option allowedHosts");
    }
  }

  /** True for a request over HTTP/1 that has a well-formed host, which is allowed. */
  public boolean passes(HttpServerRequest request) {
    String host = request.getHeader(HttpHeaders.HOST);
    if (host == null || host.equals(passed)) {
      return host != null;
    }
    boolean allowed = request.authority() != null && (names.contains(ANY) || isAllowed(host));
    if (allowed) {
      passed = host;
    }
    return allowed;
  }

  /** As the client sent it, with the port; null if it did not, which no browser does. */
  static String host(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      return request.authority() == null ? null : request.authority().toString();
    }
    return request.getHeader(HttpHeaders.HOST);
  }

  private boolean isAllowed(String hostAndPort) {
    if (hostAndPort == null) {
      return true;
    }
    String host = withoutPort(hostAndPort).toLowerCase(Locale.ROOT);
    return isAddress(host)
        || host.equals(LOCALHOST)
        || host.endsWith("." + LOCALHOST)
        || names.contains(host);
  }

  private static String withoutPort(String hostAndPort) {
    int end = hostAndPort.lastIndexOf(':');
    String host = end > hostAndPort.lastIndexOf(']') ? hostAndPort.substring(0, end) : hostAndPort;
    // A name may end in the dot of the root.
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static boolean isAddress(String host) {
    return host.startsWith("[") && host.endsWith("]")
        ? NetUtil.isValidIpV6Address(host.substring(1, host.length() - 1))
        : NetUtil.isValidIpV4Address(host);
  }
}
