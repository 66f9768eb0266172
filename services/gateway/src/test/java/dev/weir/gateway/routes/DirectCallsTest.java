package dev.weir.gateway.routes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.Target;
import io.vertx.core.internal.net.RFC3986;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectCallsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/services/orders",
        "/services/orders/events",
        "/services/orders.v2:new_~x-y",
        "/services/a.b..c"
      })
  void aPathThatIsAlreadyNormalIsPlain(String uri) {
    assertThat(DirectCalls.isPlain(uri)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/services",
        "/health/live",
        "*",
        "http://localhost/services/orders",
        "/services/orders?ticket=1",
        "/services/orders#x",
        "/services/or%64ers",
        "/services/./orders",
        "/services/../admin",
        "/services/orders/..",
        "/services//orders",
        "/services/a+b",
        "/services/a;b",
        "/services/a\\b",
        "/services/\u00fc"
      })
  void anyOtherGoesToTheRouter(String uri) {
    assertThat(DirectCalls.isPlain(uri)).isFalse();
  }

  @Test
  void aPlainPathIsTheSameWhenItIsNormalized() {
    long seed = Long.getLong("weir.seed", 17);
    Random random = new Random(seed);
    String characters = "/./.abZ09-_~:%2F?#+;@é";
    int plain = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder uri = new StringBuilder(Target.PREFIX);
      int length = random.nextInt(8);
      for (int c = 0; c < length; c++) {
        uri.append(characters.charAt(random.nextInt(characters.length())));
      }
      if (DirectCalls.isPlain(uri.toString())) {
        plain++;
        assertThat(RFC3986.normalizePath(uri.toString()))
            .as("seed %d", seed)
            .isEqualTo(uri.toString());
      }
    }
    assertThat(plain).isGreaterThan(10_000);
  }
}
