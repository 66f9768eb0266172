package dev.weir.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MessageCheckTest {
  private final Payload payload = new Payload(1, 100, 64);
  private final MessageCheck check = new MessageCheck(payload, SequenceCheck.ordered(3));

  private void accept(long... numbers) {
    for (long number : numbers) {
      check.accept(payload.create(number));
    }
  }

  @Test
  void allMessagesOnceInOrderAreGood() {
    accept(0, 1, 2);

    assertThat(check.verdict().isOk()).isTrue();
    assertThat(check.tally(3)).isEqualTo(Tally.complete(3));
  }

  @Test
  void aLostARepeatedAndAMisplacedMessageAreFound() {
    accept(1, 0, 1);

    assertThat(check.verdict().toString()).contains("lost 1", "out of order 1", "duplicates 1");
    assertThat(check.tally(3).received()).isEqualTo(2);
  }

  @Test
  void aChangedEndIsFoundInEveryMessageAndAChangedMiddleInAFullCheck() {
    byte[] message = payload.create(1);
    message[50]++;
    check.accept(message);
    assertThat(check.verdict().toString()).doesNotContain("corrupt");

    check.acceptFully(message);
    message[99]++;
    check.accept(message);
    check.accept(new byte[3]);

    assertThat(check.verdict().toString()).contains("corrupt 3");
  }
}
