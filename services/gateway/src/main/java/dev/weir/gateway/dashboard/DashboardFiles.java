package dev.weir.gateway.dashboard;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The files of the dashboard, from the jar. The list is fixed and read once, so no path of a
 * request can name another file.
 */
final class DashboardFiles {
  /** Names the version of the library, so that a browser may keep it. */
  static final String CHART_PATH = "/dashboard/chart-4.5.1.js";

  private static final String CHART_RESOURCE =
      "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  private static final String ASK_AGAIN = "no-cache";
  private static final String KEEP = "public, max-age=31536000, immutable";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private record Asset(Buffer content, String type, String tag, String caching) {}

  void mount(Router router) {
    add(router, "/", "index.html", "text/html; charset=utf-8", ASK_AGAIN);
    add(router, "/dashboard/dashboard.css", "dashboard.css", "text/css; charset=utf-8", ASK_AGAIN);
    add(router, "/dashboard/dashboard.js", "dashboard.js", SCRIPT, ASK_AGAIN);
    add(router, "/dashboard/icon.svg", "icon.svg", "image/svg+xml", ASK_AGAIN);
    add(router, CHART_PATH, CHART_RESOURCE, SCRIPT, KEEP);
  }

  private static void add(
      Router router, String path, String resource, String type, String caching) {
    Buffer content = read(resource);
    Asset asset = new Asset(content, type, tag(content), caching);
    router
        .route(path)
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(context -> answer(context, asset));
  }

  private static void answer(RoutingContext context, Asset asset) {
    HttpServerResponse response =
        context
            .response()
            .putHeader(HttpHeaders.ETAG, asset.tag)
            .putHeader(HttpHeaders.CACHE_CONTROL, asset.caching)
            .putHeader("content-security-policy", POLICY)
            .putHeader("x-content-type-options", "nosniff")
            .putHeader("referrer-policy", "no-referrer")
            .putHeader("cross-origin-opener-policy", "same-origin")
            .putHeader("cross-origin-resource-policy", "same-origin");
    String known = context.request().getHeader(HttpHeaders.IF_NONE_MATCH);
    if (known != null && known.contains(asset.tag)) {
      response.setStatusCode(304).end();
      return;
    }
    response
        .putHeader(HttpHeaders.CONTENT_TYPE, asset.type)
        .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(asset.content.length()));
    // Over HTTP/2 a body would be sent.
    if (context.request().method() == HttpMethod.HEAD) {
      response.end();
    } else {
      response.end(asset.content);
    }
  }

  private static Buffer read(String resource) {
    try (InputStream in = DashboardFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + resource);
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException("resource " + resource + " cannot be read", e);
    }
  }

  private static String tag(Buffer content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes());
      return '"' + HexFormat.of().formatHex(digest, 0, 16) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
