package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"host\":\" \"}                 | host is blank, allowed is",
        "{\"port\":70000}                 | port is 70000, allowed is 0 to 65535",
        "{\"addresses\":\"a\"}            | addresses is a, allowed is a list of texts",
        "{\"addresses\":[\"a*b\"]}        | addresses has a*b, allowed are names,",
        "{\"addresses\":[\"**\"]}         | addresses has **, allowed are names,",
        "{\"forwardedHeaders\":[\"\"]}    | forwardedHeaders has , allowed are names,",
        "{\"maxBodyBytes\":0}             | maxBodyBytes is 0, allowed is 1 to 536870912",
        "{\"timeoutMs\":0}                | timeoutMs is 0, allowed is 1 to 86400000",
        "{\"maxTimeoutMs\":86400001}      | maxTimeoutMs is 86400001, allowed is 1 to 86400000",
        "{\"idempotencyMaxKeys\":0}       | idempotencyMaxKeys is 0, allowed is 1 to 10000000",
        "{\"idempotencyMaxBytes\":-1}     | idempotencyMaxBytes is -1, allowed is 0 to",
        "{\"idempotencyWindowMs\":0}      | idempotencyWindowMs is 0, allowed is 1 to",
        "{\"maxInFlightPerWebSocket\":0}  | maxInFlightPerWebSocket is 0, allowed is 1 to 1000000",
        "{\"maxStreamsPerWebSocket\":-1}  | maxStreamsPerWebSocket is -1, allowed is 0 to 1000000",
        "{\"health\":90}                 | health is 90, allowed is an object",
        "{\"health\":{\"diskPercent\":0}} | diskPercent is 0, allowed is 1 to 100",
        "{\"health\":{\"disk\":1}}        | unknown option disk, known are diskPercent",
        "{\"allowedHosts\":[\"http://a\"]} | allowedHosts has http://a, allowed are names of hosts",
        "{\"allowedHosts\":[\"a:80\"]}     | allowedHosts has a:80, allowed are names of hosts",
        "{\"allowedHosts\":[\"\"]}         | allowedHosts has , allowed are names of hosts",
        "{\"prot\":1}                     | unknown option prot, known are accessLog, addresses,"
      })
  void aBadOptionIsNamedWithItsValueAndWhatIsAllowed(String json, String message) {
    assertThatThrownBy(() -> new GatewayOptions(new JsonObject(json)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void jsonAndCopyKeepEveryOption() {
    GatewayOptions options =
        new GatewayOptions()
            .setHost("0.0.0.0")
            .setPort(1)
            .setAllowedHosts(List.of("Weir.example", "*"))
            .setAddresses(List.of("a", "b*"))
            .setForwardedHeaders(List.of())
            .setMaxBodyBytes(2)
            .setTimeoutMs(3)
            .setMaxTimeoutMs(4)
            .setIdempotencyMaxKeys(5)
            .setIdempotencyMaxBytes(6)
            .setIdempotencyWindowMs(7)
            .setMaxInFlightPerWebSocket(8)
            .setMaxStreamsPerWebSocket(9)
            .setHealth(new HealthOptions().setDiskPercent(10));
    assertThat(new GatewayOptions(options).toJson()).isEqualTo(options.toJson());
    JsonObject parsed = new JsonObject(options.toString());
    assertThat(new GatewayOptions(parsed).toString()).isEqualTo(options.toString());
    assertThat(new GatewayOptions(parsed).getAddresses()).containsExactly("a", "b*");
    assertThat(new GatewayOptions(parsed).getAllowedHosts()).containsExactly("weir.example", "*");
    assertThat(new GatewayOptions(parsed).getHealth().getDiskPercent()).isEqualTo(10);
  }

  @Test
  void healthIsCopiedInAndOut() {
    HealthOptions mine = new HealthOptions().setDiskPercent(10);
    GatewayOptions options = new GatewayOptions().setHealth(mine);
    mine.setDiskPercent(20);
    options.getHealth().setDiskPercent(30);
    assertThat(options.getHealth().getDiskPercent()).isEqualTo(10);
    assertThatThrownBy(() -> options.setHealth(null)).hasMessageStartingWith("health");
  }
}
