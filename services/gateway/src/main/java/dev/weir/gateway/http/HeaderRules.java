package dev.weir.gateway.http;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The headers that the gateway passes on, in requests and in replies. Towards a service: those that
 * the options name, never credentials, what belongs to one connection, or the headers by which Weir
 * and Vert.x talk among themselves. Back: all but what belongs to the connection or frames the
 * body.
 */
public final class HeaderRules {
  /** They end here, whatever the options say. */
  private static final Set<String> NEVER_IN =
      Set.of(
          "authorization",
          "connection",
          "content-length",
          "cookie",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade",
          "x-api-key",
          "x-auth-token",
          "x-csrf-token");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  /** Beginnings of the names of headers of Weir and of Vert.x. */
  private static final List<String> INTERNAL = List.of("weir-", "__", "vertx-", "vertx.");

  /** Headers of Weir that a client may set. */
  private static final Set<String> OURS_IN =
      Set.of(ServiceMessage.KEY, ServiceMessage.PRIORITY, ServiceMessage.READ);

  /**
   * By this header a Vert.x service proxy chooses a method: no pattern passes it, only its name.
   */
  private static final String PROXY_ACTION = "action";

  /** Parts of the names of credentials, of proxies too: no pattern passes them. */
  private static final Pattern CREDENTIAL =
      Pattern.compile(
          "token|secret|passw|authoriz|cookie|credential|jwt|assertion|api-?key|oidc|session");

  private static final Set<String> NEVER_OUT =
      ignoringCase(
          "connection",
          "content-length",
          "keep-alive",
          "proxy-authenticate",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final List<String> prefixes;
  private final boolean[] firstLetters = new boolean[128];

  /**
   * @param passed names, or beginnings of names that end in {@code *}
   */
  public HeaderRules(List<String> passed) {
    prefixes =
        passed.stream()
            .filter(name -> name.endsWith("*"))
            .map(name -> name.substring(0, name.length() - 1).toLowerCase(Locale.ROOT))
            .toList();
    passed.stream().filter(name -> !name.endsWith("*")).forEach(names::add);
    passed.forEach(this::allowFirstLetter);
    allowFirstLetter(ServiceMessage.KEY);
  }

  private void allowFirstLetter(String name) {
    for (char letter = 0; letter < firstLetters.length; letter++) {
      firstLetters[letter] |=
          name.startsWith("*")
              || Character.toLowerCase(letter) == Character.toLowerCase(name.charAt(0));
    }
  }

  /** True if HTTP allows the header; of a header in JSON nobody has checked that. */
  public static boolean isWellFormed(String name, String value) {
    return NAME.matcher(name).matches() && value.chars().noneMatch(HeaderRules::isForbidden);
  }

  private static boolean isForbidden(int character) {
    return character < ' ' && character != '\t' || character == 127;
  }

  /** The headers for the message, or null if there are none. */
  public MultiMap in(MultiMap request) {
    MultiMap passed = null;
    for (Map.Entry<String, String> header : request) {
      if (passes(header.getKey())) {
        passed = passed == null ? MultiMap.caseInsensitiveMultiMap() : passed;
        passed.add(header.getKey(), header.getValue());
      }
    }
    return passed;
  }

  private boolean passes(String name) {
    // Most headers are told apart by their first letter.
    char first = name.isEmpty() ? 0 : name.charAt(0);
    if (first >= firstLetters.length || !firstLetters[first]) {
      return false;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (OURS_IN.contains(lower)) {
      return true;
    }
    if (NEVER_IN.contains(lower) || INTERNAL.stream().anyMatch(lower::startsWith)) {
      return false;
    }
    return names.contains(lower)
        || prefixes.stream().anyMatch(lower::startsWith)
            && !lower.equals(PROXY_ACTION)
            && !CREDENTIAL.matcher(lower).find();
  }

  /** Puts the headers of a reply; they may be null. */
  static void out(MultiMap reply, HttpServerResponse response) {
    if (reply == null) {
      return;
    }
    for (Map.Entry<String, String> header : reply) {
      if (!NEVER_OUT.contains(header.getKey())) {
        response.headers().add(header.getKey(), header.getValue());
      }
    }
  }

  private static Set<String> ignoringCase(String... names) {
    Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(List.of(names));
    return set;
  }
}
