package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.DesyncCases.Case;
import dev.weir.testing.Futures;
import io.netty.util.Version;
import io.vertx.core.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** HTTP/1 requests whose end two parsers may see in different places. */
class DesyncHttp1Test extends GatewayTestBase {
  private static final int[] SAFE_NETTY = {4, 2, 15};
  private static final Pattern STATUS = Pattern.compile("HTTP/\\d\\.\\d (\\d{3})");
  private static final String POST = "POST /services/echo HTTP/1.1\\r\\nHost: localhost\\r\\n";
  private static final String NEXT =
      "GET /openapi.json HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n";

  @Test
  @NeedsVertx50
  void aRequestWithoutOneCertainEndIsRefusedAndTheConnectionIsClosed() throws Exception {
    assertAnswers(0);
  }

  /** Vert.x 5.0.10 brings 4.2.12, whose decoder has faults by which requests are smuggled. */
  @Test
  void nettyIsNewerThanTheOneOfVertx() {
    Version http = Version.identify().get("netty-codec-http");
    int[] numbers =
        Pattern.compile("\\D+")
            .splitAsStream(http.artifactVersion())
            .mapToInt(Integer::parseInt)
            .toArray();
    assertThat(Arrays.compare(numbers, SAFE_NETTY)).as("%s", http).isNotNegative();
  }

  @Test
  @NeedsVertx50
  void theSameHoldsWhenTheBytesComeOneByOne() throws Exception {
    assertAnswers(1);
  }

  @Test
  @NeedsVertx50
  void noMutationOfAHeaderOfThePublicCatalogueLetsTwoServersDisagree() throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    List<String> wrong = new ArrayList<>();
    for (Case each : DesyncCases.read("desync-mutations.txt")) {
      for (String written : DesyncCases.bytes(each.fields().get(0))) {
        String header = each.fields().get(1).replace("{x}", written);
        String request = POST + header + "\\r\\nContent-Length: 3\\r\\n\\r\\nabc" + NEXT;
        String answers = statuses(DesyncCases.unescape(request), 0);
        if (!answers.equals(each.expected())) {
          wrong.add(each.name() + " " + written + ": " + answers + " for " + each.expected());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void anUpgradeToHttp2IsTakenOnlyIfTheOptionAllowsIt() throws Exception {
    Gateway allowing =
        Futures.result(
            "a second gateway starts",
            Gateway.start(vertx, weir, options().setHttp2UpgradeAllowed(true)));
    try (RawClient client = new RawClient(allowing.port())) {
      client.send(
          "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
      assertThat(client.line()).startsWith("HTTP/1.1 101");
    } finally {
      Futures.result("it closes", allowing.close());
    }
  }

  /**
   * @param pieceBytes of a write, 0 for all in one
   */
  private void assertAnswers(int pieceBytes) throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    List<String> wrong = new ArrayList<>();
    for (Case each : DesyncCases.read("desync-http1.txt")) {
      String bytes = each.fields().get(0).replace("{POST}", POST).replace("{NEXT}", NEXT);
      String answers = statuses(DesyncCases.unescape(bytes), pieceBytes);
      if (!answers.equals(each.expected())) {
        wrong.add(each.name() + ": answered " + answers + ", expected " + each.expected());
      }
    }
    assertThat(wrong).isEmpty();
  }

  private String statuses(String bytes, int pieceBytes) throws IOException {
    try (RawClient client = new RawClient(gateway.port(), 0)) {
      int step = pieceBytes == 0 ? bytes.length() : pieceBytes;
      try {
        for (int from = 0; from < bytes.length(); from += step) {
          client.send(bytes.substring(from, Math.min(bytes.length(), from + step)));
        }
      } catch (IOException e) {
        // It is closed before all is sent: the answer may have come all the same.
      }
      Matcher status = STATUS.matcher(client.rest());
      List<String> statuses = new ArrayList<>();
      while (status.find()) {
        statuses.add(status.group(1));
      }
      return String.join(" ", statuses);
    }
  }
}
