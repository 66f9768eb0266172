package dev.weir.gateway.security;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The bearer token of a request. A browser cannot set the header of a WebSocket, but it can offer
 * subprotocols: one that begins with {@value #SUBPROTOCOL} carries the token in base64url.
 */
final class BearerToken {
  static final String SUBPROTOCOL = "weir.token.";
  private static final String SCHEME = "Bearer ";

  private BearerToken() {}

  /** Null if there is none; of several headers none counts. */
  static String of(HttpServerRequest request) {
    List<String> values = request.headers().getAll(HttpHeaders.AUTHORIZATION);
    if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    return values.get(0).substring(SCHEME.length()).strip();
  }

  /**
   * Moves the token of a WebSocket from the subprotocols to the header, where every authentication
   * looks for it. So no answer and no log shows the subprotocol.
   */
  static void moveToHeader(HttpServerRequest request) {
    MultiMap headers = request.headers();
    if (!headers.contains(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
      return;
    }
    List<String> others = new ArrayList<>();
    for (String value : headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL)) {
      for (String offered : value.split(",")) {
        String protocol = offered.strip();
        if (protocol.startsWith(SUBPROTOCOL)) {
          // Two tokens are two headers, of which none counts.
          headers.add(HttpHeaders.AUTHORIZATION, SCHEME + decode(protocol));
        } else {
          others.add(protocol);
        }
      }
    }
    headers.remove(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL);
    if (!others.isEmpty()) {
      headers.set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, String.join(", ", others));
    }
  }

  /** Empty if it is not base64url, or holds what no token has. */
  private static String decode(String protocol) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(protocol.substring(SUBPROTOCOL.length()));
      String token = new String(bytes, StandardCharsets.US_ASCII);
      return token.chars().allMatch(each -> each > ' ' && each < 127) ? token : "";
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
