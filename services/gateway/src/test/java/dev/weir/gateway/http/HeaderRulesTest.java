package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.GatewayOptions;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Headers of a client become headers of a message, which may be kept on disk for long. */
class HeaderRulesTest {
  private static final List<String> CREDENTIALS =
      List.of(
          "Authorization",
          "Cookie",
          "Proxy-Authorization",
          "X-Api-Key",
          "X-Auth-Token",
          "X-Csrf-Token",
          "X-Forwarded-Access-Token",
          "X-Auth-Request-Access-Token",
          "X-Amzn-Oidc-Data",
          "X-Goog-Iap-Jwt-Assertion",
          "X-Original-Authorization",
          "X-Session-Id",
          "Cf-Access-Jwt-Assertion");
  private static final List<String> INTERNAL =
      List.of(
          "Weir-Stream",
          "weir-stream-credits",
          "weir-stream-timeout-ms",
          "weir-stream-last",
          "weir-durability",
          "weir-deadline-ms",
          "weir-id",
          "weir-fingerprint",
          "__vertx.credit",
          "vertx-anything",
          "action");

  private static Set<String> passed(List<String> rules, List<String> names) {
    MultiMap request = MultiMap.caseInsensitiveMultiMap();
    names.forEach(name -> request.add(name, "value"));
    MultiMap passed = new HeaderRules(rules).in(request);
    return passed == null ? Set.of() : passed.names();
  }

  @Test
  void onlyTheRequestIdAndTheTracePassByDefault() {
    List<String> names =
        List.of(
            "X-Request-Id", "traceparent", "tracestate", "baggage", "X-User", "X-Forwarded-For");
    assertThat(passed(GatewayOptions.DEFAULT_FORWARDED_HEADERS, names))
        .containsExactlyInAnyOrder("X-Request-Id", "traceparent", "tracestate", "baggage");
    assertThat(passed(GatewayOptions.DEFAULT_FORWARDED_HEADERS, CREDENTIALS)).isEmpty();
  }

  @Test
  void noPatternPassesACredential() {
    for (String rule : List.of("*", "x-*")) {
      assertThat(passed(List.of(rule), CREDENTIALS)).as(rule).isEmpty();
      assertThat(passed(List.of(rule), List.of("X-User", "x-b"))).as(rule).hasSize(2);
    }
  }

  @Test
  void noClientSetsAHeaderOfWeirOrOfVertx() {
    assertThat(passed(List.of("*"), INTERNAL)).isEmpty();
    assertThat(passed(List.of("weir-*", "__*", "vertx*", "weir-stream"), INTERNAL)).isEmpty();
  }

  @Test
  void aClientMaySayWhatAMessageIsAboutHowUrgentItIsAndThatItReads() {
    List<String> names = List.of("Weir-Key", "weir-priority", "Weir-Read");
    assertThat(passed(List.of(), names)).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void aHeaderThatIsNamedPasses() {
    assertThat(passed(List.of("action", "x-session-id"), List.of("Action", "X-Session-Id")))
        .hasSize(2);
  }
}
