package dev.weir.gateway;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends bytes as they are, for what no well-behaved client sends. */
final class RawHttp {
  private static final int DEADLINE_MS = 30_000;

  record Response(int status, Map<String, String> headers, String body) {}

  private RawHttp() {}

  /** Sends a request without a body, and reads until the server closes. */
  static Response send(int port, String... lines) {
    String request = String.join("\r\n", lines) + "\r\nHost: localhost\r\n\r\n";
    String response = exchange(port, request.getBytes(StandardCharsets.US_ASCII));
    int end = response.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no response but: " + response);
    }
    String[] head = response.substring(0, end).split("\r\n");
    Map<String, String> headers = new HashMap<>();
    for (int i = 1; i < head.length; i++) {
      String[] header = head[i].split(": ", 2);
      headers.put(header[0].toLowerCase(Locale.ROOT), header[1]);
    }
    int status = Integer.parseInt(head[0].split(" ")[1]);
    return new Response(status, headers, response.substring(end + 4));
  }

  /** All that comes back until the server closes. */
  static String exchange(int port, byte[] request) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(DEADLINE_MS);
      socket.getOutputStream().write(request);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError("no response", e);
    }
  }
}
