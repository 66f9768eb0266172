package dev.weir.cluster.client;

import dev.weir.cluster.ProcessorClientOptions;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;

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
}
