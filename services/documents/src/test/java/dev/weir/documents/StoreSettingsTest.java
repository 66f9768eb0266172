package dev.weir.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.state.DocumentsOptions;
import io.vertx.core.json.JsonArray;
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
    assertThat(read.isReplicated()).isFalse();
  }

  @Test
  void clientsMayChangeTheMembersOnlyIfASettingSaysSo() {
    assertThat(StoreSettings.DEFAULT.memberCommands()).isFalse();
    JsonObject json = StoreSettings.DEFAULT.toJson();
    assertThat(StoreSettings.of(json.copy().put("memberCommands", true)).memberCommands()).isTrue();
    assertThatThrownBy(() -> StoreSettings.of(json.put("memberCommands", "yes")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("memberCommands is yes, allowed is true or false");
  }

  @Test
  void membersHoldTheFactoriesAndAWriteIsOnTwoOfThemByDefault() {
    JsonObject json = StoreSettings.DEFAULT.toJson();
    json.put("members", new JsonArray().add("a").add("b").add("c")).put("shards", 4);
    json.getJsonObject("group").put("leaseMs", 2_000).put("takeoverMs", 4_000);
    StoreSettings read = StoreSettings.of(json);
    assertThat(read.isReplicated()).isTrue();
    assertThat(read.shards().getMembers()).containsExactly("a", "b", "c");
    assertThat(read.shards().getShards()).isEqualTo(4);
    assertThat(read.group().getMinInSync()).isEqualTo(2);
    assertThat(read.group().getLeaseMs()).isEqualTo(2_000);
    assertThat(read.toJson()).isEqualTo(json);
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
        "{'factories':{},'colour':'x'}          | colour",
        "{'factories':{},'group':1}             | group is 1, allowed is a JSON object",
        "{'factories':{},'group':{'name':'x'}}  | group: unknown option name",
        "{'factories':{},'group':{'leasMs':1}}  | did you mean leaseMs?",
        "{'factories':{},'copies':4}            | copies is 4, allowed is 1 to 3",
        "{'factories':{},'members':['a','a']}   | members is [a, a], allowed is each name once",
        "{'factories':{},'members':['a']}       | group: minInSync is 2, allowed is 1 to the number",
        "{'factories':{'x':{'historyVersions':3}},'members':['a','b']}"
            + " | factories.x: historyVersions is 3, allowed is 0"
      })
  void whatIsWrongIsNamed(String json, String message) {
    assertThatThrownBy(() -> StoreSettings.of(new JsonObject(json.replace('\'', '"'))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
