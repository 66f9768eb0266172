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

  private void delete(int number, long version, long startNs, long endNs) {
    history.answered(history.delete(startNs), number, version, endNs);
  }

  private void put(int number, long expected, long version, long startNs, long endNs) {
    history.answered(history.put(number, expected, startNs), number, version, endNs);
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

  @Test
  void aDocumentIsAbsentBetweenItsDeletionAndTheNextPut() {
    put(1, 1, 0, 1);
    delete(1, 1, 2, 3);
    read(0, KeyHistory.ABSENT, 4, 5);
    delete(0, KeyHistory.ABSENT, 6, 7);
    put(2, 7, 8, 9);
    read(2, 7, 10, 11);
    assertThat(history.problems()).isEmpty();
  }

  @Test
  void aDeletionThatIsUndoneIsWrong() {
    put(1, 1, 0, 1);
    delete(1, 1, 2, 3);
    read(1, 1, 4, 5);
    assertThat(history.problems()).singleElement().asString().contains("read 1", "after delete 1");
  }

  @Test
  void aDocumentThatIsAbsentAfterThePutThatFollowedItsDeletionIsWrong() {
    put(1, 1, 0, 1);
    delete(1, 1, 2, 3);
    put(2, 2, 4, 5);
    read(0, KeyHistory.ABSENT, 6, 7);
    assertThat(history.problems()).singleElement().asString().contains("read 0", "after put 2");
  }

  @Test
  void aVersionThatIsDeletedTwiceIsWrong() {
    put(1, 1, 0, 1);
    delete(1, 1, 2, 3);
    delete(1, 1, 4, 5);
    assertThat(history.problems())
        .singleElement()
        .asString()
        .contains("delete 1", "after delete 1");
  }

  @Test
  void aDeletionOfWhatNobodyHasPutIsWrong() {
    delete(1, 1, 0, 1);
    assertThat(history.problems()).singleElement().asString().contains("nobody had put");
  }

  @Test
  void aDeletionWithoutAnAnswerMayDeleteOneVersionOrNone() {
    put(1, 1, 0, 1);
    history.delete(2);
    read(1, 1, 3, 4);
    read(0, KeyHistory.ABSENT, 5, 6);
    read(0, KeyHistory.ABSENT, 7, 8);
    put(2, 2, 9, 10);
    assertThat(history.problems()).isEmpty();
    read(0, KeyHistory.ABSENT, 11, 12);
    assertThat(history.problems()).singleElement().asString().contains("read 0", "after put 2");
  }

  @Test
  void aDeletionThatWasRefusedDeletesNothing() {
    put(1, 1, 0, 1);
    history.refused(history.delete(2));
    read(0, KeyHistory.ABSENT, 5, 6);
    assertThat(history.problems()).singleElement().asString().contains("read 0", "after put 1");
  }

  @Test
  void aDeletionThatBeganLaterExplainsNothing() {
    put(1, 1, 0, 1);
    read(0, KeyHistory.ABSENT, 2, 3);
    delete(1, 1, 4, 5);
    assertThat(history.problems()).singleElement().asString().contains("read 0", "after put 1");
  }

  @Test
  void aPutFollowsTheVersionThatItExpects() {
    put(1, KeyHistory.ABSENT, 1, 0, 1);
    put(2, 1, 2, 2, 3);
    delete(2, 2, 4, 5);
    put(3, KeyHistory.ABSENT, 5, 6, 7);
    assertThat(history.problems()).isEmpty();
  }

  @Test
  void aPutThatDidNotSeeTheOneBeforeItIsWrong() {
    put(1, 1, 0, 1);
    put(2, 2, 2, 10);
    put(3, 1, 3, 3, 9);
    assertThat(history.problems())
        .singleElement()
        .asString()
        .contains("put 3", "did not expect put 2");
  }

  @Test
  void aPutThatExpectsADeletedVersionIsWrong() {
    put(1, 1, 0, 1);
    delete(1, 1, 2, 10);
    put(2, 1, 2, 3, 9);
    assertThat(history.problems())
        .singleElement()
        .asString()
        .contains("put 2", "did not expect delete 1");
  }

  @Test
  void aCreationOfADocumentThatWasThereIsWrong() {
    put(1, 1, 0, 1);
    put(2, KeyHistory.ABSENT, 2, 2, 3);
    assertThat(history.problems())
        .singleElement()
        .asString()
        .contains("put 2", "did not expect put 1");
  }
}
