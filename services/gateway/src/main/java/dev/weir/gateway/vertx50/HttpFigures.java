package dev.weir.gateway.vertx50;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.HttpServerMetrics;
import io.vertx.core.spi.observability.HttpRequest;
import io.vertx.core.spi.observability.HttpResponse;

/**
 * Records requests of an HTTP server with meters that are held. Vert.x's own metrics look their
 * meters up by tags for each request, which costs more than the request's routing; they still
 * record connections, bytes of the network and WebSockets.
 */
final class HttpFigures implements HttpServerMetrics<HttpFigures.Request, Object, Object> {
  /** One request. Used on the event loop of its connection. */
  static final class Request {
    private final long startNs = System.nanoTime();
    private HttpMeters.Route route;
    private boolean requestEnded;
    private boolean responseEnded;
    private boolean reset;

    private Request(HttpMeters.Route route) {
      this.route = route;
    }
  }

  private final HttpServerMetrics<Object, Object, Object> connections;
  private final HttpMeters meters;

  HttpFigures(HttpServerMetrics<Object, Object, Object> connections, HttpMeters meters) {
    this.connections = connections;
    this.meters = meters;
  }

  // ---- requests

  @Override
  public Request requestBegin(Object socket, HttpRequest request) {
    return begin();
  }

  @Override
  public Request responsePushed(
      Object socket, HttpMethod method, String uri, HttpResponse response) {
    return begin();
  }

  private Request begin() {
    meters.active().increment();
    return new Request(meters.unrouted());
  }

  @Override
  public void requestRouted(Request request, String route) {
    if (route != null) {
      request.route = request.route.then(route);
    }
  }

  @Override
  public void requestEnd(Request request, HttpRequest head, long bytesRead) {
    meters.requestBytes().record(bytesRead);
    request.requestEnded = true;
    leaveIfOver(request);
  }

  @Override
  public void requestReset(Request request) {
    meters.reset();
    meters.active().decrement();
    request.reset = true;
  }

  @Override
  public void responseEnd(Request request, HttpResponse response, long bytesWritten) {
    request.route.answered(
        response.statusCode(), System.nanoTime() - request.startNs, bytesWritten);
    request.responseEnded = true;
    leaveIfOver(request);
  }

  private void leaveIfOver(Request request) {
    if (request.requestEnded && request.responseEnded && !request.reset) {
      meters.active().decrement();
    }
  }

  // ---- connections

  @Override
  public Object connected(SocketAddress remoteAddress, String remoteName) {
    return connections.connected(remoteAddress, remoteName);
  }

  @Override
  public void disconnected(Object socket, SocketAddress remoteAddress) {
    connections.disconnected(socket, remoteAddress);
  }

  @Override
  public void bytesRead(Object socket, SocketAddress remoteAddress, long bytes) {
    connections.bytesRead(socket, remoteAddress, bytes);
  }

  @Override
  public void bytesWritten(Object socket, SocketAddress remoteAddress, long bytes) {
    connections.bytesWritten(socket, remoteAddress, bytes);
  }

  @Override
  public void exceptionOccurred(Object socket, SocketAddress remoteAddress, Throwable failure) {
    connections.exceptionOccurred(socket, remoteAddress, failure);
  }

  @Override
  public Object connected(Object socket, Request request, ServerWebSocket webSocket) {
    // Vert.x's own metrics take no request here.
    return connections.connected(socket, null, webSocket);
  }

  @Override
  public void disconnected(Object webSocket) {
    connections.disconnected(webSocket);
  }

  @Override
  public void close() {
    connections.close();
  }
}
