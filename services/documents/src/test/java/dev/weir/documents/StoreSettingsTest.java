package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.state.DocumentsOptions;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreSettingsTest {
  @Test
  void theDefaultsAreReadAsTheyAreWritten() {
    StoreSettings read = StoreSettings.of(StoreSettings.DEFAULT.toJson());
    assertThat(read.toJson()).isEqualTo(StoreSettings.DEFAULT.toJson());
    assertThat(read.factories()).containsOnlyKeys("things");
    assertThat(read.options().toJson()).isEqualTo(new DocumentsOptions().toJson());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                     | factories is null, allowed is an object",
        "{'factories':7}                        | factories is 7, allowed is an object",
        "{'factories':{'a':1}}                  | factories.a is 1, allowed is a JSON object",
        "{'factories':{'a':{'expiryMs':-1}}}    | factories.a: expiryMs is -1, allowed is 0 to",
        "{'factories':{},'directory':'x'}       | directory is store.directory, or --data",
        "{'factories':{},'colour':'x'}          | colour"
      })
  void whatIsWrongIsNamed(String json, String message) {
    assertThatThrownBy(() -> StoreSettings.of(new JsonObject(json.replace('\'', '"'))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
