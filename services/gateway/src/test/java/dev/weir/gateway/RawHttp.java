package dev.weir.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends a request as it is, for what no well-behaved client sends. */
final class RawHttp {
  private static final int DEADLINE_MS = 30_000;

  record Response(int status, Map<String, String> headers, String body) {}

  private RawHttp() {}

  /** Sends a request without a body, and reads a response whose length is given. */
  static Response send(int port, String... lines) {
    String request = String.join("\r\n", lines) + "\r\nHost: localhost\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(DEADLINE_MS);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return read(socket.getInputStream());
    } catch (IOException e) {
      throw new AssertionError("no response to " + String.join(", ", lines), e);
    }
  }

  private static Response read(InputStream in) throws IOException {
    int status = Integer.parseInt(line(in).split(" ")[1]);
    Map<String, String> headers = new HashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      String[] header = line.split(": ", 2);
      headers.put(header[0].toLowerCase(Locale.ROOT), header[1]);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new Response(status, headers, body);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int next = in.read();
    while (next >= 0 && next != '\n') {
      line.append((char) next);
      next = in.read();
    }
    if (next < 0) {
      throw new IOException("it ended after: " + line);
    }
    return line.toString().strip();
  }
}
