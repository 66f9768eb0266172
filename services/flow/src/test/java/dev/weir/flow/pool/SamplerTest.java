package dev.weir.flow.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SamplerTest {
  private final Sampler sampler = new Sampler();
  private long nowNs;
  private long timed;
  private long stoodFor;

  private void messages(int count, long everyNs) {
    for (int i = 0; i < count; i++) {
      nowNs += everyNs;
      if (sampler.chooses()) {
        timed++;
        stoodFor += sampler.stands(nowNs);
      }
    }
  }

  @Test
  void fewMessagesAreTimedEach() {
    messages(1000, 20_000);
    assertThat(timed).isEqualTo(1000);
    assertThat(stoodFor).isEqualTo(1000);
  }

  @Test
  void ofManyMessagesOneInSixteenIsTimedAndStandsForTheOthers() {
    messages(100_000, 1000);
    assertThat(timed).isBetween(100_000L / 16, 100_000L / 16 + 100);
    assertThat(stoodFor).isBetween(100_000L - 15, 100_000L);
  }

  @Test
  void afterABurstEachMessageIsTimedAgain() {
    messages(100_000, 1000);
    messages(32, 1_000_000);
    long timedBefore = timed;
    messages(100, 1_000_000);
    assertThat(timed - timedBefore).isEqualTo(100);
    assertThat(stoodFor).isEqualTo(100_132);
  }

  @Test
  void aShortBurstIsTimedWhole() {
    for (int burst = 0; burst < 50; burst++) {
      messages(20, 100);
      nowNs += 1_000_000_000;
    }
    assertThat(timed).isEqualTo(1000);
  }
}
