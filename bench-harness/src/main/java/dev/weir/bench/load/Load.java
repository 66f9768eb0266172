package dev.weir.bench.load;

import dev.weir.bench.record.Recording;
import java.time.Duration;
import java.util.Objects;

/**
 * The work of one round, for any kind of loop.
 *
 * @param operations how many to send, at least 1
 * @param ordered whether replies must arrive in the order of sending
 * @param recording takes the latency of each good operation, or null: then no clock is read per
 *     operation
 * @param idleTimeout a round without any progress for so long ends, and what is open is lost
 * @param clock the time used for pacing and latency
 */
public record Load(
    long operations, boolean ordered, Recording recording, Duration idleTimeout, Clock clock) {

  /** How long a round may stand still. */
  public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(30);

  /** Validates: operations and time-out positive, clock present. */
  public Load {
    if (operations < 1) {
      throw new IllegalArgumentException("operations must be at least 1: " + operations);
    }
    if (idleTimeout.isNegative() || idleTimeout.isZero()) {
      throw new IllegalArgumentException("idleTimeout must be positive: " + idleTimeout);
    }
    Objects.requireNonNull(clock, "clock");
  }

  /** So many operations, replies in any order, latency not recorded, the JVM's clock. */
  public static Load of(long operations) {
    return new Load(operations, false, null, DEFAULT_IDLE_TIMEOUT, Clock.system());
  }

  /** The same with replies required in the order of sending. */
  public Load inOrder() {
    return new Load(operations, true, recording, idleTimeout, clock);
  }

  /** The same with latencies recorded; null for none. */
  public Load recordingInto(Recording newRecording) {
    return new Load(operations, ordered, newRecording, idleTimeout, clock);
  }

  /** The same with another idle time-out. */
  public Load idleTimeout(Duration newIdleTimeout) {
    return new Load(operations, ordered, recording, newIdleTimeout, clock);
  }

  /** The same on another clock. */
  public Load clock(Clock newClock) {
    return new Load(operations, ordered, recording, idleTimeout, newClock);
  }
}
