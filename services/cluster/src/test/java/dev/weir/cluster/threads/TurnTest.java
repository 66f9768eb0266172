package dev.weir.cluster.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.QuietLog;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnTest {
  private final List<String> done = new ArrayList<>();
  private final Runnable send = () -> done.add("send");
  private final Runnable write = () -> done.add("write");

  @Test
  void framesGoOutBeforeTheWriteAndThoseThatWaitForItAfter() {
    Turn.run(
        () -> {
          assertThat(Turn.sendAtEnd(send)).isTrue();
          assertThat(Turn.sendAtEnd(send)).isTrue();
          assertThat(Turn.writeAtEnd(write)).isTrue();
          assertThat(Turn.writeAtEnd(write)).isTrue();
          Turn.writeAtEnd(() -> Turn.sendAtEnd(() -> done.add("acknowledge")));
          done.add("task");
        });
    assertThat(done).containsExactly("task", "send", "write", "acknowledge");
  }

  @Test
  void outsideOfATurnNothingIsHeldBack() {
    assertThat(Turn.sendAtEnd(send)).isFalse();
    assertThat(Turn.writeAtEnd(write)).isFalse();
    Turn.run(() -> done.add("task"));
    assertThat(Turn.writeAtEnd(write)).isFalse();
    assertThat(done).containsExactly("task");
  }

  @Test
  void aTurnWithinATurnIsPartOfIt() {
    Turn.run(
        () -> {
          Turn.run(() -> Turn.writeAtEnd(write));
          done.add("task");
        });
    assertThat(done).containsExactly("task", "write");
  }

  @Test
  void whatIsAppendedAtTheEndIsWrittenAtOnce() {
    List<Boolean> held = new ArrayList<>();
    Turn.run(
        () ->
            Turn.writeAtEnd(
                () -> {
                  Turn.sendAtEnd(send);
                  held.add(Turn.writeAtEnd(write));
                  done.add("wrote");
                }));
    assertThat(held).containsExactly(false);
    assertThat(done)
        .as("a write that may block comes after what is sent")
        .isEqualTo(List.of("send", "wrote"));
  }

  @Test
  void whatIsHeldBackIsSentBeforeSomethingThatTakesLong() {
    Turn.run(
        () -> {
          Turn.sendAtEnd(send);
          Turn.sendNow();
          done.add("rebuilt");
        });
    Turn.sendNow();
    assertThat(done).containsExactly("send", "rebuilt");
  }

  @Test
  void aStepThatFailsLeavesTheOthersAlone() {
    QuietLog.set();
    assertThatThrownBy(
            () ->
                Turn.run(
                    () -> {
                      Turn.sendAtEnd(send);
                      Turn.writeAtEnd(
                          () -> {
                            throw new IllegalStateException("asked to fail");
                          });
                      Turn.writeAtEnd(write);
                      throw new IllegalArgumentException("of the task");
                    }))
        .hasMessage("of the task");
    assertThat(done).containsExactly("send", "write");
    assertThat(Turn.writeAtEnd(write)).as("the turn has ended").isFalse();
  }
}
