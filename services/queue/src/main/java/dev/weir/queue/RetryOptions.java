package dev.weir.queue;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.util.Map;
import java.util.random.RandomGenerator;

/** When a message whose handling failed is delivered again, and when it becomes a dead letter. */
public final class RetryOptions extends Options<RetryOptions> {
  /** Default: after {@value} failed attempts the message becomes a dead letter. */
  public static final int DEFAULT_MAX_ATTEMPTS = 5;

  /** Default: {@value} ms before the first retry. */
  public static final long DEFAULT_BACKOFF_MS = 100;

  /** Default: at most {@value} ms before a retry. */
  public static final long DEFAULT_MAX_BACKOFF_MS = 60_000;

  /** Default: each back-off is {@value} times the one before. */
  public static final double DEFAULT_MULTIPLIER = 2;

  /** Default: this part of a back-off is random: {@value}. */
  public static final double DEFAULT_JITTER = 0.2;

  /** Default: after {@value} deliveries, ended or not, the message becomes a dead letter. */
  public static final int DEFAULT_MAX_DELIVERIES = 100;

  private static final long LONGEST_MS = 365L * 24 * 3600 * 1000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Integer> MAX_ATTEMPTS =
      OPTIONS
          .integer("maxAttempts", DEFAULT_MAX_ATTEMPTS, 1, Delivery.MAX_COUNT)
          .does("Failed attempts until a message is a dead letter.");
  private static final Option<Long> BACKOFF_MS =
      OPTIONS
          .whole("backoffMs", DEFAULT_BACKOFF_MS, 0, LONGEST_MS)
          .does("Time before the first retry.");
  private static final Option<Long> MAX_BACKOFF_MS =
      OPTIONS
          .whole("maxBackoffMs", DEFAULT_MAX_BACKOFF_MS, 0, LONGEST_MS)
          .does("The longest time before a retry.");
  private static final Option<Double> MULTIPLIER =
      OPTIONS
          .decimal("multiplier", DEFAULT_MULTIPLIER, 1, 100)
          .does("Growth from one back-off to the next.");
  private static final Option<Double> JITTER =
      OPTIONS
          .decimal("jitter", DEFAULT_JITTER, 0, 1)
          .does("The part of a back-off that is left to chance.");
  private static final Option<Integer> MAX_DELIVERIES =
      OPTIONS
          .integer("maxDeliveries", DEFAULT_MAX_DELIVERIES, 1, Delivery.MAX_COUNT)
          .does("Deliveries, whatever ended them, until a message is a dead letter.");

  public RetryOptions() {
    super(OPTIONS);
  }

  public RetryOptions(RetryOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public RetryOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  /** Exponential back-off with the defaults of this class. */
  public static RetryOptions exponential(int maxAttempts, long backoffMs, long maxBackoffMs) {
    return new RetryOptions()
        .setMaxAttempts(maxAttempts)
        .setMaxDeliveries(Math.max(DEFAULT_MAX_DELIVERIES, maxAttempts))
        .setBackoffMs(backoffMs)
        .setMaxBackoffMs(maxBackoffMs);
  }

  /** The same back-off before every retry, without a random part. */
  public static RetryOptions fixed(int maxAttempts, long backoffMs) {
    return exponential(maxAttempts, backoffMs, backoffMs).setMultiplier(1).setJitter(0);
  }

  public int getMaxAttempts() {
    return get(MAX_ATTEMPTS);
  }

  /**
   * Failed attempts until the message becomes a dead letter, 1 to {@value Delivery#MAX_COUNT};
   * default {@value #DEFAULT_MAX_ATTEMPTS}. With more than {@link #getMaxDeliveries()} the options
   * are refused when they are given to a queue.
   */
  public RetryOptions setMaxAttempts(int maxAttempts) {
    return set(MAX_ATTEMPTS, maxAttempts);
  }

  public long getBackoffMs() {
    return get(BACKOFF_MS);
  }

  /**
   * Time before the first retry, 0 ms to a year; default {@value #DEFAULT_BACKOFF_MS}. With more
   * than {@link #getMaxBackoffMs()} the options are refused when they are given to a queue.
   */
  public RetryOptions setBackoffMs(long backoffMs) {
    return set(BACKOFF_MS, backoffMs);
  }

  public long getMaxBackoffMs() {
    return get(MAX_BACKOFF_MS);
  }

  /** Upper bound of every back-off, 0 ms to a year; default {@value #DEFAULT_MAX_BACKOFF_MS}. */
  public RetryOptions setMaxBackoffMs(long maxBackoffMs) {
    return set(MAX_BACKOFF_MS, maxBackoffMs);
  }

  public double getMultiplier() {
    return get(MULTIPLIER);
  }

  /** Growth from one back-off to the next, 1 to 100; default {@value #DEFAULT_MULTIPLIER}. */
  public RetryOptions setMultiplier(double multiplier) {
    return set(MULTIPLIER, multiplier);
  }

  public double getJitter() {
    return get(JITTER);
  }

  /**
   * Random part of a back-off, 0 to 1; default {@value #DEFAULT_JITTER}. With 0.2, a back-off of
   * 100 ms lasts 80 to 100 ms.
   */
  public RetryOptions setJitter(double jitter) {
    return set(JITTER, jitter);
  }

  public int getMaxDeliveries() {
    return get(MAX_DELIVERIES);
  }

  /**
   * Deliveries until the message becomes a dead letter, 1 to 127; default {@value
   * #DEFAULT_MAX_DELIVERIES}. Deliveries that a crash ended count too, see {@link
   * Delivery#deliveryCount}. This stops a message that kills the process each time. Messages that
   * are handled beside it count as delivered too, but the last delivery of a message that may have
   * killed the process is alone: it begins after all others have ended, and no other begins before
   * it has ended.
   */
  public RetryOptions setMaxDeliveries(int maxDeliveries) {
    return set(MAX_DELIVERIES, maxDeliveries);
  }

  /**
   * Refuses fewer deliveries than attempts: the last attempts would never be made; and a first
   * back-off above the longest.
   */
  void check() {
    if (getBackoffMs() > getMaxBackoffMs()) {
      throw new IllegalArgumentException(
          "backoffMs is "
              + getBackoffMs()
              + ", allowed is 0 to maxBackoffMs ("
              + getMaxBackoffMs()
              + ")");
    }
    if (getMaxDeliveries() < getMaxAttempts()) {
      throw new IllegalArgumentException(
          "maxDeliveries is "
              + getMaxDeliveries()
              + ", allowed is maxAttempts ("
              + getMaxAttempts()
              + ") to "
              + Delivery.MAX_COUNT);
    }
  }

  /** The back-off in ms after a number of failed attempts. */
  public long backoffMs(int failures, RandomGenerator random) {
    double grown = getBackoffMs() * Math.pow(getMultiplier(), failures - 1.0);
    double bounded = Math.min(getMaxBackoffMs(), grown);
    return Math.round(bounded * (1 - getJitter() * random.nextDouble()));
  }
}
