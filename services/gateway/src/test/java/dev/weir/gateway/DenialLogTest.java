package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Who tries to administer and may not is seen in the log. */
class DenialLogTest extends GatewayTestBase {
  private static final int LINES_A_SECOND = 10;
  private static final String ADMIN = "admin-0123456789abcdef";
  private static final String DATA = "data-0123456789abcdef";

  @Override
  GatewayOptions options() {
    return super.options()
        .setTokens(
            new TokenOptions()
                .setAdminTokensFile(file("admin", "root:" + ADMIN))
                .setDataTokensFile(file("data", "shop:" + DATA)));
  }

  private String file(String kind, String token) {
    try {
      return Files.writeString(directory.resolve(kind), token).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> ask(String path, String token) {
    return send(to(path).header("Authorization", "Bearer " + token).build());
  }

  @Test
  void aDeniedRequestToAdministerIsLoggedWithoutTheToken() {
    try (LogCapture log = new LogCapture()) {
      assertProblem(
          ask("/admin/services/orders/pause", "guessed-0123456789"), ProblemType.UNAUTHORIZED);
      assertProblem(ask("/admin/services", DATA), ProblemType.FORBIDDEN);
      assertProblem(ask("/services/x", "guessed-0123456789"), ProblemType.UNAUTHORIZED);
      assertThat(log.text())
          .contains("GET /admin/services/orders/pause denied to an unknown client at 127.0.0.1")
          .contains("GET /admin/services denied to shop at 127.0.0.1")
          .doesNotContain("/services/x denied")
          .doesNotContain("guessed")
          .doesNotContain(DATA);
    }
  }

  @Test
  void aFloodOfDeniedRequestsDoesNotFloodTheLog() {
    try (LogCapture log = new LogCapture()) {
      long startNs = System.nanoTime();
      for (int i = 0; i < 200; i++) {
        ask("/admin/services", "guessed-0123456789");
      }
      int seconds = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
      assertThat(log.text().split("denied to an unknown client", -1).length - 1)
          .isGreaterThanOrEqualTo(10)
          .isLessThanOrEqualTo(LINES_A_SECOND * (seconds + 2));
    }
  }
}
