package dev.weir.gateway.http;

import io.vertx.ext.web.Router;

/** Some of the routes of a gateway. */
public interface Routes {
  /** Adds them; called once, before the server listens. */
  void mount(Router router);
}
