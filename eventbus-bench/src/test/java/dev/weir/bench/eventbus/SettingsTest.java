package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void scalesCountsButNeverToNothing() {
    assertThat(new Settings(1, 0.5).scaled(10)).isEqualTo(5);
    assertThat(new Settings(1, 0.01).scaled(10)).isEqualTo(1);
  }

  @Test
  void noMoreAreInFlightThanThereAre() {
    assertThat(Settings.inFlight(10_000, 600)).isEqualTo(600);
    assertThat(Settings.inFlight(400, 600)).isEqualTo(400);
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settings(3, 1))
        .withMessage("loops is 3, allowed is 1 or 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Settings(1, 0))
        .withMessageStartingWith("scale is 0.0");
  }
}
