package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/**
 * A client that puts JSON objects of any size over HTTP/1.1, and reads the answer while it sends. A
 * client that reads only after it has sent all may find its connection broken, and the answer lost.
 */
public final class LargePut {
  private static final String BEGIN = "{\"t\":\"";
  private static final String END = "\"}";
  private static final int PIECE_BYTES = 1 << 20;

  private final int port;
  private final String path;

  public LargePut(int port, String path) {
    this.port = port;
    this.path = path;
  }

  /**
   * What came before the server closed the connection.
   *
   * @param text the head and the body
   */
  public record Answer(String text) {
    public Answer assertStatus(int status) {
      assertThat(text).startsWith("HTTP/1.1 " + status + " ");
      return this;
    }

    /**
     * A problem of RFC 9457, as the last answer on its connection.
     *
     * @param detail all of it
     */
    public void assertProblem(int status, int code, String detail) {
      assertStatus(status);
      assertThat(text)
          .containsIgnoringCase("content-type: application/problem+json")
          .containsIgnoringCase("connection: close");
      JsonObject problem = new JsonObject(text.substring(text.indexOf("\r\n\r\n") + 4));
      assertThat(problem.getInteger("status")).isEqualTo(status);
      assertThat(problem.getInteger("code")).isEqualTo(code);
      assertThat(problem.getString("detail")).isEqualTo(detail);
    }
  }

  /** Announces a body of that length and sends nothing of it. */
  public Answer announced(long bytes) throws IOException {
    return send("content-length: " + bytes, out -> {});
  }

  /** Sends one chunk of that length, of a body whose length is not announced. */
  public Answer chunk(int bytes) throws IOException {
    return send(
        "transfer-encoding: chunked",
        out -> {
          out.write(ascii(Integer.toHexString(bytes) + "\r\n"));
          write(out, bytes);
        });
  }

  /** Announces a body of that length and sends it to its end, unless the connection breaks. */
  public Answer whole(int bytes) throws IOException {
    return send("connection: close\r\ncontent-length: " + bytes, out -> write(out, bytes));
  }

  private static void write(OutputStream out, int bytes) throws IOException {
    out.write(ascii(BEGIN));
    byte[] piece = ascii("x".repeat(PIECE_BYTES));
    int left = bytes - BEGIN.length() - END.length();
    for (; left > PIECE_BYTES; left -= PIECE_BYTES) {
      out.write(piece);
    }
    out.write(piece, 0, left);
    out.write(ascii(END));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private interface Body {
    void write(OutputStream out) throws IOException;
  }

  private Answer send(String header, Body body) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout((int) Await.DEADLINE_S * 1_000);
      OutputStream out = socket.getOutputStream();
      out.write(ascii("PUT " + path + " HTTP/1.1\r\nhost: localhost\r\n" + header + "\r\n\r\n"));
      Thread writer = new Thread(() -> sendQuietly(body, out), "large-put");
      writer.start();
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      try {
        socket.getInputStream().transferTo(answer);
      } catch (SocketException e) {
        // The server closed with what was sent unread; the answer came before that.
      }
      Await.until("the writer ends", () -> !writer.isAlive());
      return new Answer(answer.toString(StandardCharsets.UTF_8));
    }
  }

  private static void sendQuietly(Body body, OutputStream out) {
    try {
      body.write(out);
    } catch (IOException e) {
      // The server takes no more.
    }
  }
}
