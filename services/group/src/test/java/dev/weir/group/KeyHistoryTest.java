package dev.weir.group;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyHistoryTest {
  private final KeyHistory history = new KeyHistory();

  private void put(int number, long version, long startNs, long endNs) {
    history.answered(history.put(number, startNs), number, version, endNs);
  }

  private void read(int number, long version, long startNs, long endNs) {
    history.answered(history.read(startNs), number, version, endNs);
  }

  @Test
  void operationsThatOverlapMayTakeEffectInAnyOrder() {
    read(0, KeyHistory.ABSENT, 0, 5);
    put(1, 2, 1, 10);
    put(2, 1, 2, 9);
    read(2, 1, 3, 8);
    read(1, 2, 4, 7);
    assertThat(history.problems()).isEmpty();
    assertThat(history.answers()).isEqualTo(5);
  }

  @Test
  void aReadOfAnOldVersionAfterANewOneIsWrong() {
    put(1, 1, 0, 1);
    put(2, 2, 2, 3);
    read(1, 1, 4, 5);
    assertThat(history.problems()).singleElement().asString().contains("read 1", "after put 2");
  }

  @Test
  void aReadThatGoesBackBehindAnotherReadIsWrong() {
    put(1, 1, 0, 1);
    put(2, 2, 2, 20);
    read(2, 2, 3, 4);
    read(1, 1, 5, 6);
    assertThat(history.problems()).singleElement().asString().contains("read 1", "after read 2");
  }

  @Test
  void aLostPutIsWrongAlthoughNobodyReadsIt() {
    put(1, 1, 0, 1);
    put(2, 1, 2, 3);
    assertThat(history.problems())
        .anySatisfy(problem -> assertThat(problem).contains("put 2", "has 1 too"))
        .anySatisfy(problem -> assertThat(problem).contains("put 2", "after put 1"));
  }

  @Test
  void aDocumentThatIsGoneIsWrong() {
    put(1, 1, 0, 1);
    read(0, KeyHistory.ABSENT, 2, 3);
    assertThat(history.problems()).singleElement().asString().contains("read 0", "after put 1");
  }

  @Test
  void aPutWithoutAnAnswerMayBeSeenOrNot() {
    put(1, 1, 0, 1);
    history.put(2, 2);
    history.put(3, 2);
    read(1, 1, 3, 4);
    read(3, 2, 5, 6);
    assertThat(history.problems()).isEmpty();
  }

  @Test
  void aPutWithoutAnAnswerThatWasSeenIsNotUndone() {
    put(1, 1, 0, 1);
    history.put(2, 2);
    read(2, 2, 3, 4);
    read(1, 1, 5, 6);
    assertThat(history.problems()).singleElement().asString().contains("read 1", "after read 2");
  }

  @Test
  void aPutThatTookEffectTwiceIsWrong() {
    put(1, 1, 0, 1);
    put(2, 2, 2, 3);
    read(1, 3, 4, 5);
    assertThat(history.problems()).singleElement().asString().contains("took effect twice");
  }

  @Test
  void aPutThatWasRefusedIsNeverSeen() {
    history.refused(history.put(1, 0));
    read(1, 1, 2, 3);
    assertThat(history.problems()).singleElement().asString().contains("had changed nothing");
  }

  @Test
  void aReadOfWhatNobodyHasPutYetIsWrong() {
    read(1, 1, 0, 1);
    put(1, 1, 2, 3);
    assertThat(history.problems()).anySatisfy(problem -> assertThat(problem).contains("nobody"));
  }
}
