package dev.weir.options;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UserFailureTest {
  /** Throws when it is asked for its text or its cause. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient RuntimeException thrown;

    Unprintable(RuntimeException thrown) {
      this.thrown = thrown;
    }

    @Override
    public String getMessage() {
      throw thrown;
    }

    @Override
    public synchronized Throwable getCause() {
      throw thrown;
    }
  }

  /** Has another cause each time, so its causes never end. */
  private static final class Endless extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public synchronized Throwable getCause() {
      return new Endless();
    }
  }

  private final Unprintable unprintable = new Unprintable(new IllegalStateException("no text"));

  @Test
  void anOrdinaryFailureIsSaidAsItIs() {
    IllegalStateException plain = new IllegalStateException("plain");
    assertThat(UserFailure.text(plain)).isEqualTo("java.lang.IllegalStateException: plain");
    assertThat(UserFailure.message(plain)).isEqualTo("plain");
    assertThat(UserFailure.forLog(plain)).isSameAs(plain);
    assertThat(UserFailure.text(null)).isEqualTo("null");
    assertThat(UserFailure.forLog(null)).isNull();
    assertThat(UserFailure.message(new Error())).isEqualTo("java.lang.Error");
  }

  @Test
  void ofAFailureThatThrowsItsClassIsSaid() {
    String name = Unprintable.class.getName();
    assertThat(UserFailure.text(unprintable)).isEqualTo(name);
    assertThat(UserFailure.message(unprintable)).isEqualTo(name);
    assertThat(UserFailure.forLog(unprintable)).hasMessage(name + ", which cannot be printed");
    assertThat(UserFailure.forLog(new IllegalStateException("outer", unprintable)))
        .hasMessage("java.lang.IllegalStateException, which cannot be printed");
    assertThat(UserFailure.forLog(new Unprintable(unprintable)))
        .hasMessage(name + ", which cannot be printed");
  }

  @Test
  void causesWithoutEndAreNotPrinted() {
    assertThat(UserFailure.forLog(new Endless()))
        .hasMessage(Endless.class.getName() + ", which cannot be printed");
    assertThat(HeapExhaustion.isCause(new Endless())).isFalse();
  }

  @Test
  void aFailureThatThrowsWhenItIsAskedForItsCauseIsNoExhaustion() {
    assertThat(HeapExhaustion.isCause(unprintable)).isFalse();
    HeapExhaustion.report(unprintable);
  }

  @Test
  void anExhaustionIsFoundInFrontOfACauseThatThrows() {
    OutOfMemoryError exhausted = new OutOfMemoryError();
    exhausted.initCause(unprintable);
    assertThat(HeapExhaustion.isCause(exhausted)).isTrue();
    assertThat(HeapExhaustion.isCause(new IllegalStateException(exhausted))).isTrue();
  }
}
