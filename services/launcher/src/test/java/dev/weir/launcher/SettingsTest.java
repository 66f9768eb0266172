package dev.weir.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  private final Settings settings =
      new Settings(
          new JsonObject()
              .put("instances", 1)
              .put(
                  "http",
                  new JsonObject()
                      .put("host", "127.0.0.1")
                      .put("port", 8080)
                      .put("addresses", new JsonArray().add("*"))
                      .put("tls", new JsonObject().put("enabled", false)))
              .put("store", new JsonObject().put("cacheBytes", 16L).put("share", 0.5)));

  private Object at(String section, String key) {
    return settings.toJson().getJsonObject(section).getValue(key);
  }

  @Test
  void aLaterSourceWins() {
    assertThat(at("http", "port")).isEqualTo(8080);
    settings.file(new JsonObject("{\"http\":{\"port\":1},\"instances\":2}"));
    assertThat(at("http", "port")).isEqualTo(1);
    settings.environment(Map.of("WEIR_HTTP_PORT", "2"));
    assertThat(at("http", "port")).isEqualTo(2L);
    settings.properties(Map.of("weir.http.port", "3"));
    assertThat(at("http", "port")).isEqualTo(3L);
    settings.put("--http-port", "http.port", "4");
    assertThat(at("http", "port")).isEqualTo(4L);
    assertThat(at("http", "host")).isEqualTo("127.0.0.1");
    assertThat(settings.toJson().getValue("instances")).isEqualTo(2);
  }

  @Test
  void findsASettingByTheNameOfItsVariable() {
    settings.environment(
        Map.of(
            "WEIR_STORE_CACHE_BYTES", "32",
            "WEIR_HTTP_TLS_ENABLED", "true",
            "WEIR_HTTP_ADDRESSES", "a,b",
            "WEIR_INSTANCES", "3"));
    assertThat(at("store", "cacheBytes")).isEqualTo(32L);
    assertThat(at("http", "tls")).isEqualTo(new JsonObject().put("enabled", true));
    assertThat(at("http", "addresses")).isEqualTo(new JsonArray().add("a").add("b"));
    assertThat(settings.toJson().getValue("instances")).isEqualTo(3L);
  }

  @Test
  void leavesVariablesOfOthersAlone() {
    JsonObject before = settings.toJson();
    settings.environment(Map.of("WEIR_PORT", "tcp://10.0.0.1:8080", "PATH", "/bin"));
    assertThat(settings.toJson()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WEIR_", "WEIR__", "WEIR____", "WEIR__HTTP_PORT"})
  void leavesVariablesWithoutAFirstWordAlone(String name) {
    JsonObject before = settings.toJson();
    settings.environment(Map.of(name, "1"));
    assertThat(settings.toJson()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "http.", "http..port", "http.tls.", ".http.port"})
  void namesTheSourceOfASettingOfWhichAPartIsEmpty(String path) {
    assertThatThrownBy(() -> settings.put("weir." + path, path, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("weir." + path + " is no setting, ");
  }

  @Test
  void takesANumberWithAFractionForASettingThatIsOne() {
    settings.put("--set", "store.share", "0.75");
    assertThat(at("store", "share")).isEqualTo(0.75);
    settings.put("--set", "store.share", "2");
    assertThat(at("store", "share")).isEqualTo(2.0);
    assertThatThrownBy(() -> settings.put("--set store.share", "store.share", "half"))
        .hasMessage("--set store.share is half, allowed is a number");
    assertThatThrownBy(() -> settings.put("--set http.port", "http.port", "0.5"))
        .hasMessage("--set http.port is 0.5, allowed is a whole number");
  }

  @Test
  void passesASettingWithoutADefaultOn() {
    settings.put("--set", "http.adminToken", "0123");
    settings.put("--set", "http.tls.reloadMs", "5");
    settings.put("--set", "store.directory", "/data");
    assertThat(at("http", "adminToken")).isEqualTo("0123");
    assertThat(settings.toJson().getJsonObject("http").getJsonObject("tls").getValue("reloadMs"))
        .isEqualTo(5L);
    assertThat(at("store", "directory")).isEqualTo("/data");
  }

  @Test
  void namesTheSourceTheValueAndWhatIsAllowed() {
    assertThatThrownBy(() -> settings.environment(Map.of("WEIR_HTTP_PORT", "tcp://x")))
        .hasMessage("WEIR_HTTP_PORT is tcp://x, allowed is a whole number");
    assertThatThrownBy(() -> settings.properties(Map.of("weir.http.tls.enabled", "yes")))
        .hasMessage("weir.http.tls.enabled is yes, allowed is true or false");
    assertThatThrownBy(() -> settings.put("--set htp.port", "htp.port", "1"))
        .hasMessage(
            "--set htp.port is no setting, the first part of one is instances, http, store");
    assertThatThrownBy(() -> settings.file(new JsonObject().put("htp", new JsonObject())))
        .hasMessageStartingWith("htp is no setting");
    assertThatThrownBy(() -> settings.put("--set http", "http", "1"))
        .hasMessage("--set http is a section, name a setting in it");
  }

  @Test
  void showsNoSecret() {
    settings.put("--set", "http.adminToken", "hush");
    settings.put("--set", "http.tokenFile", "/etc/token");
    settings.file(
        new JsonObject("{\"http\":{\"tokens\":[\"hush\"],\"tls\":{\"password\":\"hush\"}}}"));
    List<String> shown = new ArrayList<>();
    settings.forEach((name, value) -> shown.add(name + " " + value));
    assertThat(shown.toString()).doesNotContain("hush").contains("***", "/etc/token");
    assertThat(at("http", "adminToken")).isEqualTo("hush");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"apiKey\":\"hush-1\"}",
        "{\"secretKey\":\"hush-1\"}",
        "{\"jdbcUrl\":\"jdbc:postgresql://db/orders?user=a&password=hush-1\"}",
        "{\"url\":\"jdbc:oracle:thin:app/hush-1@//db:1521/x\"}",
        "{\"endpoint\":\"https://app:hush-1@db.example/x\"}",
        "{\"endpoint\":\"https://db.example/x?sig=1&access_token=hush-1\"}",
        "{\"connectionString\":\"hush-1\"}",
        "{\"databaseUrl\":\"hush-1\"}",
        "{\"db\":{\"pass\":\"hush-1\"}}",
        "{\"stores\":[{\"apiKey\":\"hush-1\"}]}",
        "{\"pem\":\"-----BEGIN PRIVATE KEY-----hush-1\"}",
        "{\"password\":4711471}"
      })
  void showsNoSecretOfAUsersService(String section) {
    settings.file(new JsonObject().put("store", new JsonObject(section)));
    List<String> shown = new ArrayList<>();
    settings.forEach((name, value) -> shown.add(name + " " + value));
    assertThat(shown.toString()).doesNotContain("hush").doesNotContain("4711").contains("***");
    String error = settings.withoutSecrets("store: it is " + section + ", allowed is another");
    assertThat(error).doesNotContain("hush").doesNotContain("4711").contains("allowed is another");
  }

  @Test
  void showsWhatIsNoSecret() {
    String plain =
        "{\"idempotencyMaxKeys\":10,\"keyFile\":\"/etc/key.pem\",\"endpoint\":\"https://db.example/x?page=2\"}";
    settings.file(new JsonObject().put("store", new JsonObject(plain)));
    List<String> shown = new ArrayList<>();
    settings.forEach((name, value) -> shown.add(String.valueOf(value)));
    assertThat(shown.toString()).doesNotContain("***");
  }
}
