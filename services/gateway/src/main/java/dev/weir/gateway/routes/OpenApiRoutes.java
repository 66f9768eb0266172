package dev.weir.gateway.routes;

import dev.weir.gateway.http.Answer;
import dev.weir.gateway.http.Routes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the gateway; it is JSON, which is YAML too. */
public final class OpenApiRoutes implements Routes {
  private static final String DOCUMENT = "/dev/weir/gateway/openapi.json";

  @Override
  public void mount(Router router) {
    Buffer document = read();
    serve(router, "/openapi.json", Answer.JSON, document);
    serve(router, "/openapi.yaml", "application/yaml", document);
  }

  private static void serve(Router router, String path, CharSequence type, Buffer document) {
    router
        .get(path)
        .handler(
            context -> context.response().putHeader(HttpHeaders.CONTENT_TYPE, type).end(document));
  }

  private static Buffer read() {
    try (InputStream in = OpenApiRoutes.class.getResourceAsStream(DOCUMENT)) {
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
