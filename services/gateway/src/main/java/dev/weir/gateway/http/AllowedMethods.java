package dev.weir.gateway.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.util.Set;
import java.util.TreeSet;

/** The methods that a path allows, for the {@code Allow} header of a 405. */
public final class AllowedMethods {
  private AllowedMethods() {}

  /**
   * The methods of a router's routes for a path, separated by commas. Routes without methods, which
   * stand before others, do not count.
   */
  public static String of(Router router, String path) {
    Set<String> methods = new TreeSet<>();
    String[] segments = path.split("/");
    for (Route route : router.getRoutes()) {
      if (route.methods() != null
          && route.getPath() != null
          && matches(route.getPath().split("/"), segments)) {
        route.methods().stream().map(HttpMethod::name).forEach(methods::add);
      }
    }
    return String.join(", ", methods);
  }

  private static boolean matches(String[] pattern, String[] segments) {
    if (pattern.length != segments.length) {
      return false;
    }
    for (int i = 0; i < pattern.length; i++) {
      if (!pattern[i].startsWith(":") && !pattern[i].equals(segments[i])) {
        return false;
      }
    }
    return true;
  }
}
