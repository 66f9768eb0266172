package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.Durability;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"durability\":\"NONE\"}      | durability is NONE, allowed is one of [PROCESS, MACHINE]",
        "{\"durability\":\"MOON\"}      | durability is MOON, allowed is one of",
        "{\"commitIntervalMs\":-1}      | commitIntervalMs is -1, allowed is 0 to 3600000",
        "{\"immutable\":1}              | immutable is 1, allowed is true or false",
        "{\"maxDocumentBytes\":1}       | maxDocumentBytes is 1, allowed is 2 to 67108864",
        "{\"maxKeyBytes\":0}            | maxKeyBytes is 0, allowed is 1 to 4096",
        "{\"expiryMs\":-1}              | expiryMs is -1, allowed is 0 to",
        "{\"historyVersions\":1001}     | historyVersions is 1001, allowed is 0 to 1000",
        "{\"changeLogBytes\":-1}        | changeLogBytes is -1, allowed is 0 to 1099511627776",
        "{\"indices\":[]}               | unknown option indices, known are changeLogBytes,"
      })
  void aBadFactoryOptionIsNamedWithItsValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> new FactoryOptions(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"directory\":\"\"}       | directory is blank, allowed is a path",
        "{\"threads\":-1}           | threads is -1, allowed is 0 to 256",
        "{\"residentBytes\":1}      | residentBytes is 1, allowed is 0 or at least 1048576",
        "{\"inFlightBytes\":1}      | inFlightBytes is 1, allowed is 0 or at least 1048576",
        "{\"cacheBytes\":1}         | cacheBytes is 1, allowed is 0 or at least 1048576",
        "{\"logFileBytes\":1}       | logFileBytes is 1, allowed is 1048576 to",
        "{\"minFreeBytes\":1}       | minFreeBytes is 1, allowed is 1048576 to",
        "{\"maxStreams\":-1}        | maxStreams is -1, allowed is 0 to 10000",
        "{\"expirySweepMs\":1}      | expirySweepMs is 1, allowed is 10 to"
      })
  void aBadStoreOptionIsNamedWithItsValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> new DocumentsOptions(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void optionsSurviveJson() {
    JsonObject factory =
        new FactoryOptions().setDurability(Durability.MACHINE).setImmutable(true).toJson();
    assertThat(new FactoryOptions(factory).toJson()).isEqualTo(factory);
    JsonObject store = new DocumentsOptions().setThreads(3).toJson();
    assertThat(new DocumentsOptions(store).toJson()).isEqualTo(store);
  }

  @Test
  void anActionMayNotHaveTheNameOfAnOperation() {
    FactoryRules rules = new FactoryRules().addAction("wash", (current, body) -> null);
    assertThatThrownBy(() -> rules.addAction("wash", (current, body) -> null))
        .hasMessage("action wash is taken");
    assertThatThrownBy(() -> rules.addAction("delete", (current, body) -> null))
        .hasMessage("action delete is taken");
    assertThatThrownBy(() -> rules.addAction("a b", (current, body) -> null))
        .hasMessageStartingWith("action is a b");
  }
}
