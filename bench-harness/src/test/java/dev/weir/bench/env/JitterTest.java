package dev.weir.bench.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.record.Recording;
import org.junit.jupiter.api.Test;

class JitterTest {

  @Test
  void recordsOneOvershootForEachSleep() {
    Recording recording = Recording.singleWriter();
    Jitter.measure(5, recording);
    assertThat(recording.summary().count()).isEqualTo(5);
    assertThat(recording.outOfRange()).isZero();
  }
}
