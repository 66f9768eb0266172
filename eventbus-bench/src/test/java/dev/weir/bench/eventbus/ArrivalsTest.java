package dev.weir.bench.eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final Bodies bodies = Bodies.Kind.BUFFER.bodies(100);
  private final Arrivals arrivals = Arrivals.ordered(bodies, 3);

  private void arrive(long... operations) {
    for (long operation : operations) {
      arrivals.accept(bodies.take(operation));
    }
  }

  @Test
  void allInOrderIsGood() {
    arrive(0, 1, 2);

    assertThat(arrivals.verdict().isOk()).isTrue();
    assertThat(arrivals.received()).isEqualTo(3);
  }

  @Test
  void aMissingMessageFails() {
    arrive(0, 2);

    assertThat(arrivals.verdict().reasons()).containsExactly("at the service: lost 1");
  }

  @Test
  void aSecondDeliveryFails() {
    arrive(0, 1, 1, 2);

    assertThat(arrivals.verdict().reasons()).containsExactly("at the service: duplicates 1");
  }

  @Test
  void anotherOrderFails() {
    arrive(1, 0, 2);

    assertThat(arrivals.verdict().reasons()).containsExactly("at the service: out of order 1");
  }

  @Test
  void anotherContentFails() {
    arrive(0, 1);
    arrivals.accept("two");

    assertThat(arrivals.verdict().reasons())
        .containsExactly("at the service: lost 1", "at the service: corrupt 1");
  }
}
