package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of a client's connections. */
final class ClientSecurity {
  private static final Logger LOG = LoggerFactory.getLogger(TcpProcessorClient.class);

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
   *
   * @param last what was logged last; null for nothing
   * @return what was logged last now
   */
  static String warn(long clientId, HostPort member, Throwable cause, String last) {
    String text = String.valueOf(cause);
    if (!(cause instanceof SSLException) || text.equals(last)) {
      return last;
    }
    LOG.warn("client {} cannot connect to {} by TLS: {}", clientId, member, text);
    return text;
  }
}
