package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RegisterHistoryTest {
  private final RegisterHistory history = new RegisterHistory("k");

  @Test
  void messagesAndReadsThatOverlapMayTakeEffectInAnyOrder() {
    history.wrote(11, 2, 12, 0, 100);
    history.wrote(12, 1, 0, 50, 90);
    history.wrote(13, 3, 11, 95, 120);
    history.read(12, 1, 60, 99);
    history.read(12, 1, 61, 98);
    history.read(11, 2, 90, 130);
    assertThat(history.check()).isEmpty();
  }

  @Test
  void aMessageThatTookEffectTwiceIsFound() {
    history.wrote(11, 1, 0, 0, 10);
    history.wrote(12, 3, 11, 20, 30);
    assertThat(history.check()).singleElement().asString().contains("does not follow message 1");
  }

  @Test
  void aMessageThatIsLostIsFound() {
    history.wrote(11, 1, 0, 0, 10);
    history.wrote(12, 1, 0, 20, 30);
    assertThat(history.check()).isNotEmpty();
  }

  @Test
  void aReadThatMissesWhatWasAnsweredBeforeIsFound() {
    history.wrote(11, 1, 0, 0, 10);
    history.read(0, 0, 11, 20);
    assertThat(history.check())
        .singleElement()
        .asString()
        .contains("stands before")
        .contains("answered before");
  }

  @Test
  void aReadThatGoesBackBehindAnotherReadIsFound() {
    history.wrote(11, 1, 0, 0, 10);
    history.wrote(12, 2, 11, 11, 100);
    history.read(12, 2, 20, 30);
    history.read(11, 1, 31, 40);
    assertThat(history.check()).singleElement().asString().contains("stands before");
  }

  @Test
  void aReadOfWhatWasUndoneIsFound() {
    history.wrote(11, 1, 0, 0, 10);
    history.read(12, 2, 20, 30);
    assertThat(history.check()).singleElement().asString().contains("is of no message");
  }
}
