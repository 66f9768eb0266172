package dev.weir.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class DashboardRatesTest {
  private static final long SECOND_NS = 1_000_000_000;

  private final DashboardRates rates = new DashboardRates();

  private Double rate(long timeNs, double counter) {
    rates.begin(timeNs);
    var all = rates.of("orders", Map.of("accepted", counter));
    return all == null ? null : all.getDouble("accepted");
  }

  @Test
  void knowsNoRateBeforeTheSecondSnapshot() {
    assertThat(rate(5, 100)).isNull();
  }

  @Test
  void dividesByTheTimeThatReallyPassed() {
    rate(0, 100);
    assertThat(rate(2 * SECOND_NS, 150)).isEqualTo(25);
    assertThat(rate(3 * SECOND_NS, 150)).isEqualTo(0);
  }

  @Test
  void doesNotGuessFromAMoment() {
    rate(0, 100);
    assertThat(rate(SECOND_NS / 10, 150)).isNull();
  }

  @Test
  void isNeverNegativeWhenACounterBeginsAgain() {
    rate(0, 100);
    assertThat(rate(SECOND_NS, 3)).isEqualTo(0);
  }

  @Test
  void forgetsAServiceThatWasGone() {
    rate(0, 100);
    rates.begin(SECOND_NS);
    assertThat(rate(2 * SECOND_NS, 500)).isNull();
  }
}
