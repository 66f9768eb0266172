package dev.weir.gateway.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The service and the operation that a path under {@value #PREFIX} names.
 *
 * @param address of the service, decoded
 */
public record Target(String address, Kind kind) {
  public static final String PREFIX = "/services/";

  private static final List<Kind> KINDS = List.of(Kind.values());

  /** The kind of call. */
  public enum Kind {
    REQUEST("POST", ""),
    EVENTS("POST", "/events"),
    WEB_SOCKET("GET", "/ws");

    /** The one method it takes. */
    public final String method;

    /** What follows the address in its path. */
    public final String suffix;

    Kind(String method, String suffix) {
      this.method = method;
      this.suffix = suffix;
    }
  }

  /**
   * @param path normalized
   * @param allowed names, or beginnings that end in {@code *}
   * @throws ProblemException 400 if it is not well formed, 404 if it names nothing that is reached
   */
  public static Target of(String path, List<String> allowed) {
    if (!path.startsWith(PREFIX)) {
      throw notFound();
    }
    int slash = path.indexOf('/', PREFIX.length());
    String name = path.substring(PREFIX.length(), slash < 0 ? path.length() : slash);
    Kind kind = slash < 0 ? Kind.REQUEST : kind(path, slash);
    String address = decode(name);
    if (address.isBlank() || isInternal(address) || !isAllowed(address, allowed)) {
      throw new ProblemException(ProblemType.NO_SERVICE, "there is no service of this name");
    }
    return new Target(address, kind);
  }

  private static Kind kind(String path, int slash) {
    for (Kind kind : KINDS) {
      if (path.length() - slash == kind.suffix.length() && path.endsWith(kind.suffix)) {
        return kind;
      }
    }
    throw notFound();
  }

  private static ProblemException notFound() {
    return new ProblemException(
        ProblemType.NOT_FOUND, "there is /services/{address}, and /events and /ws below it");
  }

  private static String decode(String name) {
    if (name.indexOf('%') < 0) {
      return name;
    }
    try {
      // The decoder is one for forms, in which a plus is a space.
      return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ProblemException(ProblemType.BAD_REQUEST, "the path is not well formed");
    }
  }

  /** Addresses by which Vert.x and Weir talk among themselves. */
  private static boolean isInternal(String address) {
    return address.startsWith("__") || address.startsWith("weir.");
  }

  private static boolean isAllowed(String address, List<String> allowed) {
    for (String pattern : allowed) {
      int star = pattern.length() - 1;
      if (pattern.charAt(star) == '*'
          ? address.regionMatches(0, pattern, 0, star)
          : address.equals(pattern)) {
        return true;
      }
    }
    return false;
  }
}
