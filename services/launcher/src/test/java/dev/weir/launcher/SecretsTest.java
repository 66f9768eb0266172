package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class SecretsTest {
  @Test
  void hidesASecretThatBeginsLikeAnother() {
    JsonObject settings =
        new JsonObject().put("password", "swordfish").put("token", "swordfish-and-more");
    assertThat(Secrets.hide("bad: swordfish-and-more, swordfish", settings))
        .isEqualTo("bad: ***, ***");
  }
}
