package dev.weir.gateway.routes;

import dev.weir.flow.Weir;
import dev.weir.gateway.GatewayOptions;
import dev.weir.gateway.http.BodyReader;
import dev.weir.gateway.http.Exchange;
import dev.weir.gateway.http.HeaderRules;
import dev.weir.gateway.http.HeldBytes;
import dev.weir.gateway.http.IdempotencyWindow;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.RequestBody;
import dev.weir.gateway.http.Routes;
import dev.weir.gateway.http.Target;
import dev.weir.gateway.security.Access;
import dev.weir.gateway.websocket.Sockets;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** What clients ask of services. */
public final class ServiceRoutes implements Routes {
  private final Intake intake;
  private final List<String> addresses;
  private final int maxBodyBytes;
  private final RequestReply requests;
  private final Events events;
  private final Sockets sockets;

  /** Of the last request: most requests have the same. Null before the first. */
  private Parsed last;

  /** What a path names. */
  private record Parsed(String path, Target target) {}

  public ServiceRoutes(
      Vertx vertx,
      Weir weir,
      GatewayOptions options,
      Intake intake,
      IdempotencyWindow window,
      Access access) {
    HeaderRules rules = new HeaderRules(options.getForwardedHeaders());
    this.intake = intake;
    this.addresses = options.getAddresses();
    this.maxBodyBytes = options.getMaxBodyBytes();
    this.requests = new RequestReply(vertx, weir, options, rules, window);
    this.events = new Events(weir, options, rules);
    this.sockets = new Sockets(vertx, options, rules, intake, access);
  }

  @Override
  public void mount(Router router) {
    router.route(Target.PREFIX + "*").handler(this::handle);
  }

  private void handle(RoutingContext context) {
    String path = context.normalizedPath();
    HeldBytes held = HeldBytes.of(context);
    Exchange exchange = new Exchange(context.request(), path, intake, Access.client(context), held);
    try {
      Target target = target(exchange, path);
      if (target.kind() == Target.Kind.WEB_SOCKET) {
        sockets.accept(context, target.address());
      } else {
        read(exchange, target, held);
      }
    } catch (ProblemException e) {
      exchange.fail(e.problem());
    }
  }

  /**
   * Handles a request that passed all checks without a router. It asks for no WebSocket.
   *
   * @param path normalized
   * @param client as {@link Access#client} gives it
   */
  void handle(HttpServerRequest request, String path, String client, HeldBytes held) {
    Exchange exchange = new Exchange(request, path, intake, client, held);
    try {
      read(exchange, target(exchange, path), held);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      exchange.fail(e);
    }
  }

  private Target target(Exchange exchange, String path) {
    Target target = parse(path);
    HttpServerRequest request = exchange.request();
    if (!request.method().name().equals(target.kind().method)) {
      request.response().headers().set(HttpHeaders.ALLOW, target.kind().method);
      throw new ProblemException(
          ProblemType.METHOD_NOT_ALLOWED, "allowed is " + target.kind().method);
    }
    return target;
  }

  private Target parse(String path) {
    Parsed parsed = last;
    if (parsed == null || !parsed.path.equals(path)) {
      parsed = new Parsed(path, Target.of(path, addresses));
      last = parsed;
    }
    return parsed.target;
  }

  private void read(Exchange exchange, Target target, HeldBytes held) {
    if (exchange.enter()) {
      BodyReader.read(
          exchange.request(),
          maxBodyBytes,
          held,
          bytes -> handle(exchange, target, bytes),
          why -> exchange.fail(refused(why)));
    }
  }

  private void handle(Exchange exchange, Target target, Buffer bytes) {
    try {
      String contentType = exchange.request().getHeader(HttpHeaders.CONTENT_TYPE);
      exchange.admitDecoded(RequestBody.decodedBytes(contentType, bytes));
      if (target.kind() == Target.Kind.REQUEST) {
        requests.handle(exchange, target.address(), bytes);
      } else {
        events.handle(exchange, target.address(), bytes);
      }
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      exchange.fail(e);
    }
  }

  private Problem refused(ProblemType why) {
    return Problem.of(
        why,
        why == ProblemType.TOO_LARGE
            ? "a body has at most " + maxBodyBytes + " bytes"
            : "there is no room for the body");
  }
}
