package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.http.HttpConnections.HttpEndpoint;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;

/** Connections of a keep-alive pool; each exchange is a POST. */
final class RequestConnections implements HttpConnections {
  private static final int OK = 200;

  private final HttpClient client;
  private final RequestOptions request;

  private RequestConnections(HttpClient client, RequestOptions request) {
    this.client = client;
    this.request = request;
  }

  /** HTTP/1.1 with a connection for each request in flight, without pipelining. */
  static RequestConnections http1(Vertx vertx, HttpEndpoint target, int connections) {
    return open(
        vertx,
        target,
        new HttpClientOptions().setProtocolVersion(HttpVersion.HTTP_1_1),
        new PoolOptions().setHttp1MaxSize(connections));
  }

  /** HTTP/2 without TLS and without upgrade, all requests as streams of one connection. */
  static RequestConnections http2(Vertx vertx, HttpEndpoint target) {
    return open(
        vertx,
        target,
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false),
        new PoolOptions().setHttp2MaxSize(1));
  }

  private static RequestConnections open(
      Vertx vertx, HttpEndpoint target, HttpClientOptions options, PoolOptions pool) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setServer(target.server())
            .setHost(target.server().host())
            .setPort(target.server().port())
            .setURI(target.path())
            .putHeader(HttpHeaders.CONTENT_TYPE, target.body().mediaType());
    return new RequestConnections(
        vertx.httpClientBuilder().with(options).with(pool).build(), request);
  }

  @Override
  public Future<Buffer> exchange(Buffer body) {
    return client
        .request(request)
        .compose(opened -> opened.send(body))
        .compose(RequestConnections::success);
  }

  private static Future<Buffer> success(HttpClientResponse response) {
    return response.statusCode() == OK
        ? response.body()
        : response.body().compose(body -> Future.failedFuture(response.statusCode() + " " + body));
  }

  @Override
  public Future<Void> close() {
    return client.close();
  }
}
