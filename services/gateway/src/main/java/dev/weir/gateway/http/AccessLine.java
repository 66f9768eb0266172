package dev.weir.gateway.http;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A request and its answer as one line of an access log. Whatever a client sends, the line is
 * printable ASCII and has as many fields as its format says. Queries, and users and passwords in
 * addresses, are left out: they may be secrets.
 *
 * @param client its address; null if it is not known
 * @param user null for a client that nobody identified
 * @param path null if the request has none
 * @param requestId null for none, as the next two
 */
public record AccessLine(
    Instant time,
    String client,
    String user,
    String method,
    String path,
    String protocol,
    int status,
    long bytes,
    long tookNs,
    String requestId,
    String referer,
    String agent) {
  private static final int MAX_CHARS = 1000;
  private static final DateTimeFormatter APACHE_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneId.systemDefault());

  /** As the Apache HTTP server writes it. */
  public String combined() {
    return field(client).replace(' ', '_')
        + " - "
        + field(user).replace(' ', '_')
        + " ["
        + APACHE_TIME.format(time)
        + "] \""
        + field(method)
        + " "
        + field(path).replace(" ", "\\x20")
        + " "
        + field(protocol)
        + "\" "
        + status
        + " "
        + (bytes == 0 ? "-" : bytes)
        + " \""
        + field(withoutSecrets(referer))
        + "\" \""
        + field(agent)
        + "\"";
  }

  /** With a name for each field, and without those that are not known. */
  public String json() {
    JsonObject json =
        new JsonObject()
            .put("time", time.toString())
            .put("client", client)
            .put("user", user)
            .put("method", method)
            .put("path", cut(path))
            .put("protocol", protocol)
            .put("status", status)
            .put("bytes", bytes)
            .put("ms", tookNs / (double) TimeUnit.MILLISECONDS.toNanos(1))
            .put("requestId", cut(requestId))
            .put("referer", cut(withoutSecrets(referer)))
            .put("agent", cut(agent));
    json.getMap().values().removeIf(value -> value == null);
    return ascii(json.encode());
  }

  /** A character outside of ASCII can only be inside of a text of JSON. */
  private static String ascii(String json) {
    StringBuilder line = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char next = json.charAt(i);
      if (isPrintable(next)) {
        line.append(next);
      } else {
        line.append(String.format("\\u%04x", (int) next));
      }
    }
    return line.toString();
  }

  /** With backslashes where Apache has them; what is not there is a dash. */
  private static String field(String text) {
    if (text == null || text.isEmpty()) {
      return "-";
    }
    StringBuilder line = new StringBuilder();
    for (byte next : cut(text).getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (next & 0xff);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (isPrintable(c)) {
        line.append(c);
      } else {
        line.append(String.format("\\x%02x", (int) c));
      }
    }
    return line.toString();
  }

  private static boolean isPrintable(char c) {
    return c >= ' ' && c < 0x7f;
  }

  private static String cut(String text) {
    return text == null || text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS);
  }

  /** An address without its query, its fragment, and who is named in it. */
  private static String withoutSecrets(String address) {
    if (address == null) {
      return null;
    }
    String path = address.split("[?#]", 2)[0];
    int host = path.indexOf("//") + 2;
    int end = path.indexOf('/', host);
    int at = path.lastIndexOf('@', end < 0 ? path.length() : end);
    return host > 1 && at >= host ? path.substring(0, host) + path.substring(at + 1) : path;
  }
}
