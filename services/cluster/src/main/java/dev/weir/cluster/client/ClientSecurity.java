package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClientOptions;
import dev.weir.cluster.transport.WarningLog;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import javax.net.ssl.SSLException;

/** TLS of a client's connections. */
final class ClientSecurity {
  private ClientSecurity() {}

  static NetClientOptions net(ProcessorClientOptions options) {
    NetClientOptions net =
        new NetClientOptions().setTcpNoDelay(true).setConnectTimeout(options.getConnectTimeoutMs());
    if (options.getTlsTrusted() != null) {
      net.setSsl(true)
          .setHostnameVerificationAlgorithm("")
          .setTrustOptions(new PemTrustOptions().addCertPath(options.getTlsTrusted().toString()));
    }
    return net;
  }

  /**
   * Logs that a member cannot be connected by TLS. That a member cannot be reached is usual, and
   * not logged.
   */
  static void warn(WarningLog warnings, long clientId, HostPort member, Throwable cause) {
    if (cause instanceof SSLException) {
      warnings.add("client " + clientId + " cannot connect to " + member + " by TLS: " + cause);
    }
  }
}
