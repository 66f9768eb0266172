package dev.weir.cluster.transport.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReorderBufferTest {
  private static final long TIMEOUT_NS = 100;

  private final GapTimer gap = new GapTimer(TIMEOUT_NS, 2 * TIMEOUT_NS);
  private final ReorderBuffer frames = new ReorderBuffer(gap);
  private long nowNs;

  private static byte[] frame(int content) {
    return new byte[] {(byte) content};
  }

  /** Whether a frame has been missing for longer than the timeout. */
  private boolean isLate() {
    long missing = 0;
    for (int look = 0; look < 3; look++) {
      nowNs += TIMEOUT_NS;
      missing = gap.look(nowNs);
    }
    return missing != 0;
  }

  @Test
  void framesInOrderPassAtOnce() {
    assertThat(frames.add(0, frame(0))).containsExactly(0);
    assertThat(frames.next()).isNull();
    assertThat(frames.add(1, frame(1))).containsExactly(1);
    assertThat(frames.nextSequence()).isEqualTo(2);
    assertThat(isLate()).isFalse();
  }

  @Test
  void framesThatOvertookTheDueOneFollowIt() {
    assertThat(frames.add(2, frame(2))).isNull();
    assertThat(frames.add(1, frame(1))).isNull();
    assertThat(frames.add(0, frame(0))).containsExactly(0);
    assertThat(frames.next()).containsExactly(1);
    assertThat(frames.next()).containsExactly(2);
    assertThat(frames.next()).isNull();
    assertThat(isLate()).isFalse();
  }

  @Test
  void aMissingFrameIsReported() {
    frames.add(1, frame(1));
    assertThat(isLate()).isTrue();
  }

  @Test
  void aSecondGapHasAnAgeOfItsOwn() {
    frames.add(1, frame(1));
    frames.add(3, frame(3));
    assertThat(isLate()).isTrue();
    frames.add(0, frame(0));
    assertThat(frames.next()).containsExactly(1);
    assertThat(frames.next()).isNull();
    nowNs += TIMEOUT_NS;
    assertThat(gap.look(nowNs)).isZero();
    assertThat(isLate()).isTrue();
  }

  @Test
  void aNewSessionForgetsTheFramesOfTheOldOne() {
    frames.add(1, frame(1));
    frames.reset();
    assertThat(frames.nextSequence()).isZero();
    assertThat(isLate()).isFalse();
    assertThat(frames.add(0, frame(9))).containsExactly(9);
    assertThat(frames.next()).isNull();
  }
}
