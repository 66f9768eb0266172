package dev.weir.bench.eventbus;

import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Verdict;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Checks what a service gets in one round: each message once, intact, and in the order of sending
 * where one connection or none carries them all. {@link #accept} runs on the service's event loop,
 * the rest when no message is on its way.
 */
final class Arrivals {
  private final Bodies bodies;
  private final SequenceCheck sequence;
  private long corrupt;
  private final AtomicLong received = new AtomicLong();

  private Arrivals(Bodies bodies, SequenceCheck sequence) {
    this.bodies = bodies;
    this.sequence = sequence;
  }

  static Arrivals ordered(Bodies bodies, long operations) {
    return new Arrivals(bodies, SequenceCheck.ordered(operations));
  }

  static Arrivals unordered(Bodies bodies, long operations) {
    return new Arrivals(bodies, SequenceCheck.unordered(operations));
  }

  void accept(Object body) {
    long operation = bodies.operationOf(body);
    if (bodies.matches(operation, body)) {
      sequence.accept(operation);
    } else {
      corrupt++;
    }
    received.setRelease(received.getPlain() + 1);
  }

  /** Messages that came, whatever they were; any thread. */
  long received() {
    return received.getAcquire();
  }

  Verdict verdict() {
    return sequence.verdict().unless(corrupt == 0, "corrupt " + corrupt).in("at the service");
  }
}
