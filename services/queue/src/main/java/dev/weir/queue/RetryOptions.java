package dev.weir.queue;

import java.util.random.RandomGenerator;

/** When a message whose handling failed is delivered again, and when it becomes a dead letter. */
public final class RetryOptions {
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

  private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
  private long backoffMs = DEFAULT_BACKOFF_MS;
  private long maxBackoffMs = DEFAULT_MAX_BACKOFF_MS;
  private double multiplier = DEFAULT_MULTIPLIER;
  private double jitter = DEFAULT_JITTER;
  private int maxDeliveries = DEFAULT_MAX_DELIVERIES;

  public RetryOptions() {}

  public RetryOptions(RetryOptions other) {
    maxAttempts = other.maxAttempts;
    backoffMs = other.backoffMs;
    maxBackoffMs = other.maxBackoffMs;
    multiplier = other.multiplier;
    jitter = other.jitter;
    maxDeliveries = other.maxDeliveries;
  }

  /** Exponential back-off with the defaults of this class. */
  public static RetryOptions exponential(int maxAttempts, long backoffMs, long maxBackoffMs) {
    return new RetryOptions()
        .setMaxAttempts(maxAttempts)
        .setBackoffMs(backoffMs)
        .setMaxBackoffMs(maxBackoffMs);
  }

  /** The same back-off before every retry, without a random part. */
  public static RetryOptions fixed(int maxAttempts, long backoffMs) {
    return exponential(maxAttempts, backoffMs, backoffMs).setMultiplier(1).setJitter(0);
  }

  public int getMaxAttempts() {
    return maxAttempts;
  }

  /**
   * Failed attempts until the message becomes a dead letter, 1 to 1 million; default {@value
   * #DEFAULT_MAX_ATTEMPTS}.
   */
  public RetryOptions setMaxAttempts(int maxAttempts) {
    this.maxAttempts = (int) Checks.range("maxAttempts", maxAttempts, 1, 1_000_000);
    return this;
  }

  public long getBackoffMs() {
    return backoffMs;
  }

  /** Time before the first retry, 0 ms to a year; default {@value #DEFAULT_BACKOFF_MS}. */
  public RetryOptions setBackoffMs(long backoffMs) {
    this.backoffMs = Checks.range("backoffMs", backoffMs, 0, LONGEST_MS);
    return this;
  }

  public long getMaxBackoffMs() {
    return maxBackoffMs;
  }

  /** Upper bound of every back-off, 0 ms to a year; default {@value #DEFAULT_MAX_BACKOFF_MS}. */
  public RetryOptions setMaxBackoffMs(long maxBackoffMs) {
    this.maxBackoffMs = Checks.range("maxBackoffMs", maxBackoffMs, 0, LONGEST_MS);
    return this;
  }

  public double getMultiplier() {
    return multiplier;
  }

  /** Growth from one back-off to the next, 1 to 100; default {@value #DEFAULT_MULTIPLIER}. */
  public RetryOptions setMultiplier(double multiplier) {
    this.multiplier = Checks.range("multiplier", multiplier, 1, 100);
    return this;
  }

  public double getJitter() {
    return jitter;
  }

  /**
   * Random part of a back-off, 0 to 1; default {@value #DEFAULT_JITTER}. With 0.2, a back-off of
   * 100 ms lasts 80 to 100 ms.
   */
  public RetryOptions setJitter(double jitter) {
    this.jitter = Checks.range("jitter", jitter, 0, 1);
    return this;
  }

  public int getMaxDeliveries() {
    return maxDeliveries;
  }

  /**
   * Deliveries until the message becomes a dead letter, 1 to 127; default {@value
   * #DEFAULT_MAX_DELIVERIES}. Deliveries that a crash ended count too. This stops a message that
   * kills the process each time.
   */
  public RetryOptions setMaxDeliveries(int maxDeliveries) {
    this.maxDeliveries = (int) Checks.range("maxDeliveries", maxDeliveries, 1, Delivery.MAX_COUNT);
    return this;
  }

  /** The back-off in ms after a number of failed attempts. */
  public long backoffMs(int failures, RandomGenerator random) {
    double grown = backoffMs * Math.pow(multiplier, failures - 1.0);
    double bounded = Math.min(maxBackoffMs, grown);
    return Math.round(bounded * (1 - jitter * random.nextDouble()));
  }
}
