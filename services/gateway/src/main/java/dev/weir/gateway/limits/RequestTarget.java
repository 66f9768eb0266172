package dev.weir.gateway.limits;

/** The rules for the target and the host of a request. */
public final class RequestTarget {
  private static final String SCHEME_END = "://";

  /** Characters that no host has, and by which two parsers may disagree about it. */
  private static final String NOT_IN_HOSTS = "/\\?#@,;\"<>^`{|} ";

  /** By character, so that a host is checked in a few ns. */
  private static final boolean[] IS_IN_HOSTS = new boolean[0x7f];

  static {
    for (char c = ' ' + 1; c < IS_IN_HOSTS.length; c++) {
      IS_IN_HOSTS[c] = NOT_IN_HOSTS.indexOf(c) < 0;
    }
  }

  private RequestTarget() {}

  /** True for a path of a server, with or without a query. */
  public static boolean isPath(String target) {
    return !target.isEmpty() && target.charAt(0) == '/' && hasNoBlank(target);
  }

  /** True for a URI with a scheme whose host and port are those of the {@code Host} header. */
  public static boolean isOf(String target, String host) {
    int from = target.indexOf(SCHEME_END);
    if (from < 1 || host.isEmpty() || !hasNoBlank(target)) {
      return false;
    }
    String rest = target.substring(from + SCHEME_END.length());
    return rest.regionMatches(true, 0, host, 0, host.length())
        && (rest.length() == host.length() || "/?".indexOf(rest.charAt(host.length())) >= 0);
  }

  /** True for a host with or without a port, and for the empty one that a URI may have. */
  public static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c >= IS_IN_HOSTS.length || !IS_IN_HOSTS[c]) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasNoBlank(String target) {
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c == 0x7f) {
        return false;
      }
    }
    return true;
  }
}
