package dev.weir.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StreamCreditsTest {

  @ParameterizedTest
  @CsvSource({"1,1,0", "64,64,0", "65,64,1", "10000,64,9936"})
  void theServiceGetsAWindowAndTheClientKeepsTheRest(int credits, int window, int spare) {
    StreamCredits room = new StreamCredits(credits);
    assertThat(room.window()).isEqualTo(window);
    for (int i = 0; i < spare; i++) {
      assertThat(room.arrived()).isTrue();
    }
    assertThat(room.arrived()).isFalse();
  }

  @Test
  void whatTheClientGivesAcknowledgesWhatIsHeldAndKeepsTheRest() {
    StreamCredits room = new StreamCredits(2);
    assertThat(room.arrived()).isFalse();
    assertThat(room.arrived()).isFalse();
    assertThat(room.given(1)).isEqualTo(1);
    assertThat(room.given(3)).isEqualTo(1);
    assertThat(room.arrived()).isTrue();
    assertThat(room.arrived()).isTrue();
    assertThat(room.arrived()).isFalse();
  }

  @Test
  void aClientCannotGiveWithoutEnd() {
    StreamCredits room = new StreamCredits(1);
    assertThat(room.given(StreamCredits.MAX)).isZero();
    assertThat(room.given(1)).isEqualTo(-1);
    assertThat(room.given(Integer.MAX_VALUE)).isEqualTo(-1);
  }
}
