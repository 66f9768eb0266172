package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AccessLineTest {
  /** As readers of such logs take it apart: a quote or backslash in a field has a backslash. */
  private static final Pattern COMBINED =
      Pattern.compile(
          "\\S+ - \\S+ \\[[^\\]]+] \"\\S+ \\S+ \\S+\" \\d{3} (?:\\d+|-) \"(?:[^\"\\\\]|\\\\.)+\""
              + " \"(?:[^\"\\\\]|\\\\.)+\"");

  /** What could end a line or a field, hide one, or change what a terminal shows. */
  private static final String HOSTILE =
      "\r\n"
          + "\t\0\u001b[2J\u0007\u007f\u0085\u2028\u2029\u202e\u200b\ufeff\"\\"
          + " x\ud800\ud83d\ude00é{}%n";

  private static AccessLine line(
      String client, String user, String path, String referer, String agent) {
    return new AccessLine(
        Instant.parse("2026-11-23T16:33:00.123Z"),
        client,
        user,
        "POST",
        path,
        "HTTP/1.1",
        200,
        17,
        1_500_000,
        agent,
        referer,
        agent);
  }

  @Test
  void isWhatApacheWrites() {
    assertThat(line("127.0.0.1", "ann", "/services/a", "http://h/p", "curl/8").combined())
        .matches(
            "127\\.0\\.0\\.1 - ann \\[\\d\\d/Nov/2026:\\d\\d:\\d\\d:00 [+-]\\d{4}] "
                + "\"POST /services/a HTTP/1\\.1\" 200 17 \"http://h/p\" \"curl/8\"");
    assertThat(line(null, null, null, null, null).combined())
        .startsWith("- - - [")
        .endsWith("] \"POST - HTTP/1.1\" 200 17 \"-\" \"-\"");
  }

  @Test
  void isJson() {
    assertThat(new JsonObject(line("127.0.0.1", "ann", "/services/a", null, "curl/8").json()))
        .isEqualTo(
            new JsonObject()
                .put("time", "2026-11-23T16:33:00.123Z")
                .put("client", "127.0.0.1")
                .put("user", "ann")
                .put("method", "POST")
                .put("path", "/services/a")
                .put("protocol", "HTTP/1.1")
                .put("status", 200)
                .put("bytes", 17)
                .put("ms", 1.5)
                .put("requestId", "curl/8")
                .put("agent", "curl/8"));
  }

  @Test
  void nothingThatAClientSendsMakesAnotherLineOrField() {
    Random random = new Random(17);
    for (int i = 0; i < 10_000; i++) {
      AccessLine line =
          line(hostile(random), hostile(random), hostile(random), hostile(random), hostile(random));
      String combined = line.combined();
      assertThat(combined).matches("[ -~]*");
      assertThat(COMBINED.matcher(combined).matches()).as(combined).isTrue();
      assertThat(line.json()).matches("[ -~]*");
      assertThat(new JsonObject(line.json()).getString("agent"))
          .isEqualTo(new JsonObject(line.json()).getString("requestId"));
    }
  }

  private static String hostile(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.append(HOSTILE.charAt(random.nextInt(HOSTILE.length())));
    }
    return text.toString();
  }

  @Test
  void secretsInAnAddressAreLeftOut() {
    for (String referer :
        new String[] {
          "http://ann:secret@h/p?token=secret#secret", "http://secret@h", "//secret@h/p#secret"
        }) {
      AccessLine line = line("c", null, "/", referer, "a");
      assertThat(line.combined()).doesNotContain("secret").contains("//h");
      assertThat(line.json()).doesNotContain("secret").contains("//h");
    }
    assertThat(line("c", null, "/", "http://h/a@b", "a").combined()).contains("http://h/a@b");
  }

  @Test
  void aLongTextIsCut() {
    AccessLine line =
        line("c", "u", "/" + "p".repeat(5_000), "r".repeat(5_000), "\0".repeat(5_000));
    assertThat(line.combined()).hasSizeLessThan(7_000);
    assertThat(line.json()).hasSizeLessThan(15_000);
  }
}
