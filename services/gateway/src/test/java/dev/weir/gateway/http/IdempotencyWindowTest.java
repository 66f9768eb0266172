package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.IdempotencyWindow.Key;
import dev.weir.gateway.http.IdempotencyWindow.Meets;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class IdempotencyWindowTest {
  private static final Key A = new Key("", "service", "a");
  private static final Key B = new Key("", "service", "b");
  private static final Key C = new Key("", "service", "c");
  private static final Answer REFUSAL = new Answer(409, "x", Buffer.buffer(), null);

  private final IdempotencyWindow window = new IdempotencyWindow(2, 2_000, 100);
  private final List<Answer> told = new ArrayList<>();
  private final Consumer<Answer> listener = told::add;
  private final Consumer<Answer> second = told::add;

  private static Answer answer(int bytes) {
    return new Answer(200, "x", Buffer.buffer(new byte[bytes]), null);
  }

  private static Answer failure() {
    return new Answer(504, "x", Buffer.buffer(), null);
  }

  private Meets claim(Key key, long nowMs) {
    return window.claim(key, "same", nowMs, false, listener);
  }

  private void answered(Key key, Answer answer, long nowMs) {
    assertThat(claim(key, nowMs)).isEqualTo(Meets.NOTHING);
    window.complete(key, listener, answer, true, nowMs);
    assertThat(told.remove(told.size() - 1)).isSameAs(answer);
  }

  @Test
  void tellsTheFirstAnswerUntilItsTimeIsOver() {
    Answer answer = answer(10);
    answered(A, answer, 0);
    assertThat(claim(A, 99)).isEqualTo(Meets.THE_FIRST);
    assertThat(told).containsExactly(answer);
    assertThat(claim(A, 100)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void theSameKeyOfAnotherServiceIsAnotherKey() {
    answered(A, answer(10), 0);
    assertThat(claim(new Key("", "other", "a"), 0)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void forgetsTheOldestWhenThereAreTooMany() {
    answered(A, answer(10), 0);
    answered(B, answer(10), 1);
    answered(C, answer(10), 2);
    assertThat(claim(B, 3)).isEqualTo(Meets.THE_FIRST);
    assertThat(claim(A, 3)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void whatAKeyTakesOfTheHeapIsPartOfTheLimit() {
    IdempotencyWindow small = new IdempotencyWindow(1_000, 10_000, 100);
    for (int i = 0; i < 100; i++) {
      Key key = new Key("", "s", i + "k".repeat(250));
      assertThat(small.claim(key, "same", 0, false, listener)).isEqualTo(Meets.NOTHING);
      small.complete(key, listener, answer(0), true, 0);
    }
    assertThat(small.claim(new Key("", "s", 85 + "k".repeat(250)), "same", 0, false, listener))
        .as("a key of 250 characters, 15 later")
        .isEqualTo(Meets.NOTHING);
  }

  @Test
  void forgetsTheOldestWhenTheyAreTooLarge() {
    answered(A, answer(500), 0);
    answered(B, answer(500), 1);
    assertThat(claim(A, 2)).isEqualTo(Meets.NOTHING);
    assertThat(claim(B, 2)).isEqualTo(Meets.THE_FIRST);
  }

  @Test
  void doesNotKeepAnAnswerThatIsTooLargeAlone() {
    answered(A, answer(10), 0);
    answered(B, answer(2000), 0);
    assertThat(claim(A, 1)).isEqualTo(Meets.THE_FIRST);
    assertThat(claim(B, 1)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void whatIsInHandlingIsNeverForgottenAndTakesRoom() {
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(claim(B, 0)).isEqualTo(Meets.NOTHING);
    assertThat(claim(C, 1_000_000)).isEqualTo(Meets.NO_ROOM);
    assertThat(claim(A, 1_000_000)).isEqualTo(Meets.THE_FIRST);
    assertThat(told).isEmpty();
    window.complete(A, listener, answer(1), false, 1_000_000);
    assertThat(told).hasSize(2);
    assertThat(claim(C, 1_000_000)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void anotherRequestUnderAKeyIsFoundOut() {
    answered(A, answer(1), 0);
    assertThat(window.claim(A, "other", 1, false, listener)).isEqualTo(Meets.ANOTHER);
    assertThat(claim(B, 1)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(B, "other", 1, false, listener)).isEqualTo(Meets.ANOTHER);
    assertThat(told).isEmpty();
  }

  @Test
  void noClientPushesOutTheAnswersOfAnother() {
    IdempotencyWindow large = new IdempotencyWindow(100, 100_000, 1_000);
    for (int i = 0; i < 40; i++) {
      answer(large, new Key("alice", "service", "k" + i));
    }
    for (int i = 0; i < 1_000; i++) {
      answer(large, new Key("bob", "service", "k" + i));
    }
    for (int i = 0; i < 40; i++) {
      Key key = new Key("alice", "service", "k" + i);
      assertThat(large.claim(key, "same", 0, false, listener)).isEqualTo(Meets.THE_FIRST);
    }
    assertThat(large.claim(new Key("bob", "service", "k999"), "same", 0, false, listener))
        .isEqualTo(Meets.THE_FIRST);
    assertThat(large.claim(new Key("bob", "service", "k0"), "same", 0, false, listener))
        .isEqualTo(Meets.NOTHING);
  }

  @Test
  void noClientPushesOutTheAnswersOfAnotherByWhatIsInHandling() {
    IdempotencyWindow large = new IdempotencyWindow(100, 100_000, 1_000);
    for (int i = 0; i < 40; i++) {
      answer(large, new Key("alice", "service", "k" + i));
    }
    for (int i = 0; i < 100; i++) {
      assertThat(large.claim(new Key("bob", "service", "k" + i), "same", 0, false, listener))
          .isEqualTo(i < 60 ? Meets.NOTHING : Meets.NO_ROOM);
    }
    for (int i = 0; i < 40; i++) {
      Key key = new Key("alice", "service", "k" + i);
      assertThat(large.claim(key, "same", 0, false, listener)).isEqualTo(Meets.THE_FIRST);
    }
    assertThat(large.claim(new Key("carol", "service", "a"), "same", 0, false, listener))
        .isEqualTo(Meets.NOTHING);
  }

  @Test
  void onlySoManyRepeatsWaitForOneAnswer() {
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    for (int i = 0; i < 100; i++) {
      assertThat(claim(A, 0)).isEqualTo(Meets.THE_FIRST);
    }
    assertThat(claim(A, 0)).isEqualTo(Meets.NO_ROOM);
    window.complete(A, listener, answer(1), true, 0);
    assertThat(told).hasSize(101);
    assertThat(claim(A, 0)).isEqualTo(Meets.THE_FIRST);
  }

  @Test
  void whoWaitsNoMoreIsNotTold() {
    List<Answer> gone = new ArrayList<>();
    Consumer<Answer> leaving = gone::add;
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, false, leaving)).isEqualTo(Meets.THE_FIRST);
    window.leave(A, leaving);
    window.leave(B, leaving);
    window.complete(A, listener, answer(1), true, 0);
    window.leave(A, leaving);
    assertThat(told).hasSize(1);
    assertThat(gone).isEmpty();
  }

  @Test
  void theAnswerToARepeatThatWasSentIsThatToTheFirst() {
    List<Answer> repeat = new ArrayList<>();
    Consumer<Answer> second = repeat::add;
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    Answer answer = answer(1);
    window.complete(A, second, answer, true, 0);
    window.complete(A, listener, answer(2), true, 0);
    assertThat(told).containsExactly(answer);
    assertThat(repeat).containsExactly(answer);
    assertThat(claim(A, 1)).isEqualTo(Meets.THE_FIRST);
    assertThat(told).containsExactly(answer, answer);
  }

  @Test
  void aFailureOfOneOfTwoThatWereSentIsToldToItsSenderAlone() {
    List<Answer> repeat = new ArrayList<>();
    Consumer<Answer> second = repeat::add;
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    window.complete(A, second, failure(), false, 0);
    assertThat(repeat).hasSize(1);
    assertThat(told).isEmpty();
    assertThat(window.claim(A, "other", 0, true, second)).isEqualTo(Meets.ANOTHER);
    window.complete(A, listener, failure(), false, 0);
    assertThat(told).hasSize(1);
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
  }

  @Test
  void aRefusalWaitsForTheOtherThatWasSent() {
    for (Answer other : List.of(answer(1), REFUSAL)) {
      told.clear();
      Key key = other == REFUSAL ? A : B;
      assertThat(claim(key, 0)).isEqualTo(Meets.NOTHING);
      assertThat(window.claim(key, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
      window.complete(key, second, REFUSAL, true, 0);
      assertThat(told).isEmpty();
      window.complete(key, listener, other, true, 0);
      assertThat(told).hasSize(2).containsOnly(other);
      assertThat(claim(key, 0)).isEqualTo(Meets.THE_FIRST);
    }
  }

  @Test
  void aRefusalIsNoAnswerIfTheOtherMayHaveBeenHandled() {
    Answer unsure = failure();
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    window.complete(A, listener, REFUSAL, true, 0);
    assertThat(told).isEmpty();
    window.complete(A, second, unsure, false, 0);
    assertThat(told).containsExactly(unsure, unsure);
    assertThat(claim(A, 0)).as("a repeat").isEqualTo(Meets.NOTHING);
  }

  @Test
  void aRefusalIsNoAnswerAfterOneThatMayHaveBeenHandled() {
    Answer unsure = failure();
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    window.complete(A, listener, unsure, false, 0);
    assertThat(told).containsExactly(unsure);
    window.complete(A, second, REFUSAL, true, 0);
    assertThat(told).containsExactly(unsure, unsure);
    assertThat(claim(A, 0)).as("a repeat").isEqualTo(Meets.NOTHING);
  }

  @Test
  void onlySoManyOfAKeyAreUnderWay() {
    for (int sent = 0; sent < IdempotencyWindow.MAX_SENT; sent++) {
      Consumer<Answer> leaving = answer -> {};
      assertThat(window.claim(A, "same", 0, true, leaving)).isEqualTo(Meets.NOTHING);
      window.leave(A, leaving);
    }
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.THE_FIRST);
  }

  @Test
  void whenOneOfTheManyHasEndedTheNextIsSent() {
    for (int sent = 0; sent < IdempotencyWindow.MAX_SENT; sent++) {
      assertThat(window.claim(A, "same", 0, true, listener)).isEqualTo(Meets.NOTHING);
    }
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.THE_FIRST);
    window.complete(A, listener, failure(), false, 0);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    told.clear();
    window.complete(A, second, answer(1), true, 0);
    assertThat(told).as("all who wait").hasSize(IdempotencyWindow.MAX_SENT + 1);
  }

  @Test
  void anOutcomeThatComesTooLateIsNotThatOfTheNextRequest() {
    List<Answer> late = new ArrayList<>();
    Consumer<Answer> second = late::add;
    assertThat(claim(A, 0)).isEqualTo(Meets.NOTHING);
    assertThat(window.claim(A, "same", 0, true, second)).isEqualTo(Meets.NOTHING);
    window.complete(A, listener, answer(1), true, 0);
    told.clear();
    assertThat(window.claim(A, "other", 100, false, listener)).isEqualTo(Meets.NOTHING);
    window.complete(A, second, answer(2), true, 100);
    assertThat(told).isEmpty();
    assertThat(late).hasSize(1);
  }

  private void answer(IdempotencyWindow of, Key key) {
    assertThat(of.claim(key, "same", 0, false, listener)).isEqualTo(Meets.NOTHING);
    of.complete(key, listener, answer(10), true, 0);
  }
}
