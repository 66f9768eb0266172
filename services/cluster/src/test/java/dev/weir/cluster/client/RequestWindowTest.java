package dev.weir.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.cluster.RequestTimeoutException;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestWindowTest {
  private static final int SIZE = 3;
  private static final long FIRST = 10;
  private static final long EXPIRY_MS = 10;
  private static final long REMEMBERED_NS = 5_000_000;

  private long nowNs = -1;
  private final RequestWindow window = new RequestWindow(SIZE, FIRST, () -> nowNs);

  private Promise<Buffer> add() {
    Promise<Buffer> reply = Promise.promise();
    window.add(Buffer.buffer(), 0, reply);
    return reply;
  }

  private List<Long> write() {
    List<Long> written = new ArrayList<>();
    for (var next = window.nextToWrite(); next != null; next = window.nextToWrite()) {
      written.add(next.sequence());
    }
    return written;
  }

  private Promise<Buffer> add(int bytes) {
    Promise<Buffer> reply = Promise.promise();
    window.add(Buffer.buffer(new byte[bytes]), 0, reply);
    return reply;
  }

  private void begin() {
    window.begin(100, 1 << 20, 1 << 10, EXPIRY_MS);
  }

  @Test
  void nothingIsWrittenBeforeTheGroupHasGivenCredit() {
    add();
    add();
    assertThat(write()).as("one is always allowed").containsExactly(FIRST);
    begin();
    assertThat(write()).containsExactly(FIRST, FIRST + 1);
  }

  @Test
  void requestsAreWrittenOnceInOrder() {
    begin();
    add();
    add();
    assertThat(write()).containsExactly(FIRST, FIRST + 1);
    assertThat(write()).isEmpty();
    add();
    assertThat(window.isFull()).isTrue();
    assertThat(write()).containsExactly(FIRST + 2);
    assertThat(window.resent()).isZero();
  }

  @Test
  void theFirstOneUnansweredIsKnown() {
    begin();
    assertThat(window.firstUnanswered()).as("the next one's").isEqualTo(FIRST);
    add();
    assertThat(window.firstUnanswered()).as("it has no number yet").isEqualTo(FIRST);
    add();
    write();
    window.remove(FIRST + 1);
    assertThat(window.firstUnanswered()).isEqualTo(FIRST);
    window.remove(FIRST);
    assertThat(window.firstUnanswered()).isEqualTo(FIRST + 2);
  }

  @Test
  void noRequestIsWrittenAWholeWindowAheadOfTheOldest() {
    begin();
    for (int i = 0; i < SIZE; i++) {
      add();
    }
    write();
    assertThat(window.remove(FIRST + 1).sequence()).isEqualTo(FIRST + 1);
    add();
    assertThat(write()).as("while the oldest has no reply").isEmpty();
    window.remove(FIRST);
    assertThat(write()).containsExactly(FIRST + 3);
  }

  @Test
  void noMoreRequestsAreWrittenThanTheGroupGaveCreditFor() {
    window.begin(2, 1 << 20, 1 << 10, EXPIRY_MS);
    for (int i = 0; i < SIZE; i++) {
      add();
    }
    assertThat(write()).containsExactly(FIRST, FIRST + 1);
    window.remove(FIRST);
    assertThat(write()).containsExactly(FIRST + 2);
    assertThat(window.resent()).isZero();
  }

  @Test
  void noMoreBytesAreWrittenThanTheGroupGaveCreditFor() {
    window.begin(100, 50, 1 << 10, EXPIRY_MS);
    add(100);
    add(10);
    add(8);
    assertThat(write()).as("one is always allowed").containsExactly(FIRST);
    window.remove(FIRST);
    assertThat(write()).as("16 bytes of header each").containsExactly(FIRST + 1, FIRST + 2);
    window.rewind();
    assertThat(write()).containsExactly(FIRST + 1, FIRST + 2);
  }

  @Test
  void aRequestThatIsTooLargeForTheGroupFailsAloneAndLeavesNoGap() {
    window.begin(100, 1 << 20, 10, EXPIRY_MS);
    Promise<Buffer> tooLarge = add(11);
    add(10);
    assertThat(write()).containsExactly(FIRST);
    assertThat(tooLarge.future().cause())
        .isInstanceOf(RequestRefusedException.class)
        .hasMessage("body has 11 bytes, the group allows 10");
    window.remove(FIRST);
    assertThat(window.isEmpty()).isTrue();
  }

  @Test
  void afterARewindAllRequestsWithoutAReplyAreWrittenAgain() {
    begin();
    for (int i = 0; i < SIZE; i++) {
      add();
    }
    write();
    window.remove(FIRST);
    window.rewind();
    assertThat(write()).containsExactly(FIRST + 1, FIRST + 2);
    assertThat(window.resent()).isEqualTo(2);
  }

  @Test
  void forANewIdOnlyRequestsThatWereWrittenOnceAreNumberedAnew() {
    begin();
    Promise<Buffer> twice = add();
    write();
    window.rewind();
    Promise<Buffer> once = add();
    Promise<Buffer> never = add();
    window.nextToWrite();
    window.nextToWrite();
    assertThat(window.renumber()).extracting(RequestWindow.Request::reply).containsExactly(twice);
    assertThat(write()).containsExactly(1L, 2L);
    assertThat(window.remove(1).reply()).isSameAs(once);
    assertThat(window.remove(2).reply()).isSameAs(never);
  }

  @Test
  void aRequestThatAnotherMemberMayHaveTakenIsNotNumberedAnewWhereTheCreditIsLess() {
    begin();
    Promise<Buffer> first = add();
    Promise<Buffer> second = add();
    write();
    window.begin(1, 1 << 20, 1 << 10, EXPIRY_MS);
    assertThat(write()).containsExactly(FIRST);
    assertThat(window.renumber())
        .extracting(RequestWindow.Request::reply)
        .containsExactly(first, second);
  }

  @Test
  void theFirstRequestOfAClientIsNotWrittenAgainWhenTheGroupMayHaveForgottenTheClient() {
    RequestWindow fresh = new RequestWindow(SIZE, 1, () -> nowNs);
    Promise<Buffer> first = Promise.promise();
    Promise<Buffer> second = Promise.promise();
    fresh.begin(100, 1 << 20, 1 << 10, EXPIRY_MS);
    fresh.add(Buffer.buffer(), 0, first);
    fresh.add(Buffer.buffer(), 0, second);
    assertThat(fresh.nextToWrite().sequence()).isEqualTo(1);
    assertThat(fresh.nextToWrite().sequence()).isEqualTo(2);
    nowNs += REMEMBERED_NS;
    assertThat(fresh.nextToWrite()).as("no second write is due").isNull();
    fresh.rewind();
    nowNs--;
    assertThat(fresh.nextToWrite().sequence()).isEqualTo(1);
    fresh.rewind();
    nowNs++;
    assertThat(fresh.nextToWrite().sequence()).as("a group refuses it").isEqualTo(2);
    assertThat(first.future().cause())
        .isInstanceOfSatisfying(
            RequestRefusedException.class,
            e -> assertThat(e.result()).isEqualTo(OfferResult.SESSION_EXPIRED));
    assertThat(second.future().isComplete()).isFalse();
  }

  @Test
  void aFirstRequestThatNoMemberTookWaitsForTheGroupForAsLongAsItTakes() {
    RequestWindow fresh = new RequestWindow(SIZE, 1, () -> nowNs);
    fresh.begin(100, 1 << 20, 1 << 10, EXPIRY_MS);
    fresh.add(Buffer.buffer(), 0, Promise.promise());
    for (int i = 0; i < 10; i++, nowNs += REMEMBERED_NS) {
      assertThat(fresh.nextToWrite().sequence()).isEqualTo(1);
      fresh.answered(1, OfferResult.NOT_PRIMARY);
      fresh.rewind();
    }
  }

  @Test
  void aSecondReplyFindsNoRequest() {
    begin();
    add();
    write();
    assertThat(window.isOldest(FIRST)).isTrue();
    assertThat(window.remove(FIRST)).isNotNull();
    assertThat(window.remove(FIRST)).isNull();
    assertThat(window.isEmpty()).isTrue();
  }

  @Test
  void allRequestsLeaveWhenTheClientIsClosed() {
    Promise<Buffer> reply = add();
    assertThat(window.removeAll()).extracting(RequestWindow.Request::reply).containsExactly(reply);
    assertThat(window.isEmpty()).isTrue();
    assertThat(write()).isEmpty();
  }

  private Promise<Buffer> addFor(long timeoutMs) {
    Promise<Buffer> reply = Promise.promise();
    window.add(Buffer.buffer("body"), timeoutMs, reply);
    return reply;
  }

  private RequestTimeoutException timeout(Promise<Buffer> reply) {
    return (RequestTimeoutException) reply.future().cause();
  }

  @Test
  void aRequestThatIsGivenUpBeforeItsWriteIsNeverWritten() {
    Promise<Buffer> late = addFor(5);
    Promise<Buffer> other = addFor(60_000);
    nowNs += 5_000_000;
    window.giveUp();
    assertThat(timeout(late).mayBeApplied()).isFalse();
    assertThat(timeout(late).lastResult()).isEqualTo(OfferResult.NOT_PRIMARY);
    begin();
    assertThat(window.nextToWrite().body()).isEqualTo(Buffer.buffer("body"));
    assertThat(write()).as("the other one was the only one").isEmpty();
    assertThat(other.future().isComplete()).isFalse();
  }

  @Test
  void inPlaceOfARequestThatIsGivenUpAfterItsWriteAnEmptyOneIsWrittenAgain() {
    begin();
    Promise<Buffer> late = addFor(5);
    assertThat(write()).containsExactly(FIRST);
    nowNs += 1_005_000_000;
    window.giveUp();
    assertThat(timeout(late).mayBeApplied()).isTrue();
    begin();
    RequestWindow.Request again = window.nextToWrite();
    assertThat(again.sequence()).isEqualTo(FIRST);
    assertThat(again.body().length()).isZero();
    assertThat(window.remove(FIRST)).isSameAs(again);
    assertThat(window.isEmpty()).isTrue();
  }

  @Test
  void aRequestOnItsWayWhileTheGroupTakesNoneIsGivenUpWithTheAnswer() {
    begin();
    Promise<Buffer> late = addFor(5);
    write();
    nowNs += 5_000_000;
    window.giveUp();
    assertThat(late.future().isComplete()).as("the answer may come yet").isFalse();
    window.answered(FIRST, OfferResult.NOT_PRIMARY);
    assertThat(timeout(late).mayBeApplied()).isFalse();
  }

  @Test
  void aRequestOnItsWayWhileTheGroupTakesNoneIsGivenUpWithoutAnAnswerToo() {
    begin();
    Promise<Buffer> late = addFor(5);
    write();
    nowNs += 1_005_000_000;
    window.giveUp();
    assertThat(timeout(late).mayBeApplied()).isTrue();
  }

  @Test
  void aRequestThatNoMemberTookIsKnownNotToBeApplied() {
    begin();
    Promise<Buffer> late = addFor(5);
    write();
    window.answered(FIRST, OfferResult.UNAVAILABLE);
    window.noPrimary();
    nowNs += 5_000_000;
    window.giveUp();
    assertThat(timeout(late).mayBeApplied()).isFalse();
    assertThat(timeout(late).lastResult()).isEqualTo(OfferResult.UNAVAILABLE);
  }
}
