package dev.weir.cluster.replica;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.replica.ClientHistory.Message;
import dev.weir.cluster.replica.ClientHistory.Reply;
import org.junit.jupiter.api.Test;

/** What the judge of the simulation's clients lets pass and what not. Clients are 1 and 2. */
class ClientHistoryTest {
  private final ClientHistory history = new ClientHistory(new SimWorld(1));

  private Message send(long client, long nowNs) {
    return history.send(client, 0, SimProcessor.NO_FAULT, nowNs);
  }

  private void answer(Message message, long client, Reply reply, long nowNs) {
    history.answer(history.reply(client, message.sequence(), reply), nowNs);
  }

  private void assertBroken(String promise) {
    assertThatThrownBy(history::check)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(promise);
  }

  @Test
  void messagesThatWereOnTheirWayTogetherMayTakeEffectInEitherOrder() {
    Message one = send(1, 10);
    Message other = send(2, 20);
    answer(one, 1, new Reply(2, 2, 1), 30);
    answer(other, 2, new Reply(1, 0, 0), 40);
    assertThatCode(history::check).doesNotThrowAnyException();
  }

  @Test
  void aMessageWithoutAnAnswerMayHaveTakenEffect() {
    answer(send(1, 10), 1, new Reply(1, 0, 0), 20);
    send(1, 30);
    answer(send(2, 40), 2, new Reply(3, 1, 2), 50);
    assertThatCode(history::check).doesNotThrowAnyException();
  }

  @Test
  void anAnsweredMessageThatALaterOneDoesNotFindIsSeen() {
    answer(send(1, 10), 1, new Reply(1, 0, 0), 20);
    answer(send(2, 30), 2, new Reply(1, 0, 0), 40);
    assertBroken("took effect once each");
  }

  @Test
  void anAnsweredMessageThatAnotherOneReplacesIsSeen() {
    answer(send(1, 10), 1, new Reply(1, 0, 0), 20);
    answer(send(1, 30), 1, new Reply(2, 1, 1), 40);
    answer(send(2, 50), 2, new Reply(3, 2, 7), 60);
    assertBroken("2/1 took effect after 1/2, as its reply says");
  }

  @Test
  void aMessageThatTookEffectTwiceIsSeen() {
    answer(send(1, 10), 1, new Reply(1, 0, 0), 20);
    answer(send(2, 30), 2, new Reply(3, 1, 1), 40);
    assertBroken("2/1 took effect after 1/1, as its reply says");
  }

  @Test
  void aMessageThatTookEffectBeforeOneAnsweredBeforeItIsSeen() {
    answer(send(1, 10), 1, new Reply(2, 2, 1), 20);
    answer(send(2, 30), 2, new Reply(1, 0, 0), 40);
    assertBroken("2/1 took effect before a message that was answered before it was sent");
  }

  @Test
  void aMessageThatIsRejectedWithoutAFaultIsSeen() {
    Message message = send(1, 10);
    assertThatThrownBy(() -> answer(message, 1, Reply.REJECTED, 20))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("1/1 is rejected if its handler throws, and only then");
  }

  @Test
  void aRejectedMessageThatALaterOneFindsIsSeen() {
    Message rejected = history.send(1, 0, SimProcessor.FAILS, 10);
    answer(rejected, 1, Reply.REJECTED, 20);
    Message later = send(2, 30);
    assertThatThrownBy(() -> answer(later, 2, new Reply(2, 1, 1), 40))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("2/1 does not find what was rejected");
  }

  @Test
  void twoRepliesToAMessageThatDifferAreSeen() {
    Message message = send(1, 10);
    answer(message, 1, new Reply(1, 0, 0), 20);
    assertThatThrownBy(() -> answer(message, 1, new Reply(2, 1, 1), 30))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("all replies to 1/1 are the same");
  }
}
