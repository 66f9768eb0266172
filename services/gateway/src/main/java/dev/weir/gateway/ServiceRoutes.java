package dev.weir.gateway;

import dev.weir.flow.Weir;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** What clients ask of services. */
final class ServiceRoutes implements Routes {
  private final Intake intake;
  private final List<String> addresses;
  private final int maxBodyBytes;
  private final RequestReply requests;
  private final Events events;
  private final Sockets sockets;

  ServiceRoutes(Vertx vertx, Weir weir, GatewayOptions options, Intake intake, Guard guard) {
    HeaderRules rules = new HeaderRules(options.getForwardedHeaders());
    this.intake = intake;
    this.addresses = options.getAddresses();
    this.maxBodyBytes = options.getMaxBodyBytes();
    this.requests = new RequestReply(vertx, options, rules, guard.window());
    this.events = new Events(weir, options, rules);
    this.sockets = new Sockets(vertx, options, rules, intake, guard.access());
  }

  @Override
  public void mount(Router router) {
    router.route(Target.PREFIX + "*").handler(this::handle);
  }

  private void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    String path = context.normalizedPath();
    Exchange exchange = new Exchange(request, path, intake);
    try {
      Target target = Target.of(path, addresses);
      if (!request.method().name().equals(target.kind().method)) {
        request.response().headers().set(HttpHeaders.ALLOW, target.kind().method);
        throw new ProblemException(
            ProblemType.METHOD_NOT_ALLOWED, "allowed is " + target.kind().method);
      }
      if (target.kind() == Target.Kind.WEB_SOCKET) {
        sockets.accept(context, target.address());
      } else if (exchange.enter()) {
        BodyReader.read(
            request,
            maxBodyBytes,
            bytes -> handle(exchange, target, bytes),
            () -> exchange.fail(tooLarge()));
      }
    } catch (ProblemException e) {
      exchange.fail(e.problem());
    }
  }

  private void handle(Exchange exchange, Target target, Buffer bytes) {
    try {
      if (target.kind() == Target.Kind.REQUEST) {
        requests.handle(exchange, target.address(), bytes);
      } else {
        events.handle(exchange, target.address(), bytes);
      }
    } catch (RuntimeException e) {
      exchange.fail(e);
    }
  }

  private Problem tooLarge() {
    return Problem.of(ProblemType.TOO_LARGE, "a body has at most " + maxBodyBytes + " bytes");
  }
}
