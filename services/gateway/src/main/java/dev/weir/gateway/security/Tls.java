package dev.weir.gateway.security;

import dev.weir.gateway.TlsOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.util.List;
import java.util.Set;

/** TLS with PEM files that are reloaded without a restart. */
public final class Tls {
  private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

  private final Vertx vertx;
  private final TlsOptions options;
  private final List<String> paths;
  private List<Buffer> contents;
  private WatchedFiles files;

  private Tls(Vertx vertx, TlsOptions options) {
    this.vertx = vertx;
    this.options = options;
    this.paths = List.of(options.getCertificateFile(), options.getKeyFile());
  }

  /**
   * Reads and checks the files.
   *
   * @return fails if they cannot be read or do not belong together; null if TLS is not asked for
   */
  public static Future<Tls> load(Vertx vertx, TlsOptions options) {
    if (!options.isEnabled()) {
      return Future.succeededFuture();
    }
    if (options.getCertificateFile() == null || options.getKeyFile() == null) {
      return Future.failedFuture(
          new IllegalArgumentException(
              "tls is " + options + ", allowed is both certificateFile and keyFile or none"));
    }
    Tls tls = new Tls(vertx, options);
    return WatchedFiles.read(vertx, tls.paths)
        .compose(read -> tls.check(read).onSuccess(checked -> tls.contents = read))
        .map(tls);
  }

  private Future<Void> check(List<Buffer> read) {
    return vertx.executeBlocking(
        () -> {
          CertificateCheck.check(vertx, pem(read), paths);
          return null;
        });
  }

  private static PemKeyCertOptions pem(List<Buffer> read) {
    return new PemKeyCertOptions().setCertValue(read.get(0)).setKeyValue(read.get(1));
  }

  public void configure(HttpServerOptions server) {
    server
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setKeyCertOptions(pem(contents));
  }

  /** Open connections keep the certificate that they began with. */
  public void watch(List<HttpServer> servers) {
    files =
        new WatchedFiles(
            vertx,
            "Certificate and key",
            paths,
            contents,
            read -> check(read).compose(checked -> use(servers, read)));
    files.watchEvery(options.getReloadIntervalMs());
  }

  private static Future<Void> use(List<HttpServer> servers, List<Buffer> read) {
    ServerSSLOptions ssl = new ServerSSLOptions();
    ssl.setUseAlpn(true).setEnabledSecureTransportProtocols(PROTOCOLS).setKeyCertOptions(pem(read));
    return Future.join(servers.stream().map(each -> each.updateSSLOptions(ssl)).toList())
        .mapEmpty();
  }

  /** See {@link WatchedFiles#reload()}. */
  public Future<Boolean> reload() {
    return files.reload();
  }

  public void close() {
    if (files != null) {
      files.close();
    }
  }
}
