package dev.weir.flow;

import static dev.weir.options.OptionTypes.text;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;

/** How a {@link RemoteConsumer} takes messages. */
public final class RemoteConsumerOptions extends JsonOptions<RemoteConsumerOptions> {
  /** {@value} messages at once. */
  public static final int DEFAULT_CREDITS = 100;

  /** {@value} ms without a sign of life, and its messages go to another consumer. */
  public static final long DEFAULT_LEASE_MS = 10_000;

  /** The longest lease, {@value} ms. */
  public static final long MAX_LEASE_MS = 3_600_000;

  /** {@value} ms to finish what it has when it is closed. */
  public static final long DEFAULT_DRAIN_TIMEOUT_MS = 10_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Integer> CREDITS =
      OPTIONS
          .integer("credits", DEFAULT_CREDITS, 1, ServiceOptions.MAX_WORKERS)
          .does("Messages in handling at once.");
  private static final Option<Long> LEASE_MS =
      OPTIONS
          .whole("leaseMs", DEFAULT_LEASE_MS, 500, MAX_LEASE_MS)
          .does("Time without a sign of life after which its messages go to another consumer.");
  private static final Option<Long> DRAIN_TIMEOUT_MS =
      OPTIONS
          .whole("drainTimeoutMs", DEFAULT_DRAIN_TIMEOUT_MS, 0, Long.MAX_VALUE)
          .does("Time for what is in handling when the consumer is closed.");
  private static final Option<String> NAME =
      OPTIONS
          .add("name", text("a text, or null").orNull(), null)
          .does("What the service calls it in figures and logs; its address if there is none.");

  public RemoteConsumerOptions() {
    super(OPTIONS);
  }

  public RemoteConsumerOptions(RemoteConsumerOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public RemoteConsumerOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  public int getCredits() {
    return get(CREDITS);
  }

  /**
   * Messages in handling at once, 1 to {@value ServiceOptions#MAX_WORKERS}; default {@value
   * #DEFAULT_CREDITS}.
   */
  public RemoteConsumerOptions setCredits(int credits) {
    return set(CREDITS, credits);
  }

  public long getLeaseMs() {
    return get(LEASE_MS);
  }

  /**
   * Time without a sign of life after which its messages go to another consumer, 500 ms to an hour;
   * default {@value #DEFAULT_LEASE_MS}. It gives four signs in this time.
   */
  public RemoteConsumerOptions setLeaseMs(long leaseMs) {
    return set(LEASE_MS, leaseMs);
  }

  public long getDrainTimeoutMs() {
    return get(DRAIN_TIMEOUT_MS);
  }

  /** Time for what is in handling when it is closed; default {@value #DEFAULT_DRAIN_TIMEOUT_MS}. */
  public RemoteConsumerOptions setDrainTimeoutMs(long drainTimeoutMs) {
    return set(DRAIN_TIMEOUT_MS, drainTimeoutMs);
  }

  public String getName() {
    return get(NAME);
  }

  /** For people; default null. */
  public RemoteConsumerOptions setName(String name) {
    return set(NAME, name);
  }
}
