package dev.weir.state;

import dev.weir.options.Checks;
import io.vertx.core.json.JsonObject;

/**
 * A question for the changes of a factory. Not safe for use by several threads while it is changed.
 */
public final class ChangeQuery {
  public static final int DEFAULT_LIMIT = 100;
  public static final int MAX_LIMIT = 1_000;

  /** Below the time-out of a request on the event bus, which is 30 s by default. */
  public static final long MAX_WAIT_MS = 25_000;

  private Long from;
  private String filter;
  private int limit = DEFAULT_LIMIT;
  private long waitMs;

  /** What comes from now on. */
  public ChangeQuery() {}

  /** Copies the query. */
  public ChangeQuery(ChangeQuery other) {
    this.from = other.from;
    this.filter = other.filter;
    this.limit = other.limit;
    this.waitMs = other.waitMs;
  }

  /**
   * @param json members {@code from}, {@code filter}, {@code limit} and {@code waitMs}, each
   *     optional
   * @throws IllegalArgumentException naming an unknown member or a bad value
   */
  public ChangeQuery(JsonObject json) {
    json.forEach(
        member -> {
          Object value = member.getValue();
          switch (member.getKey()) {
            case "from" -> from = value == null ? null : checked(whole("from", value));
            case "filter" -> {
              if (value != null && !(value instanceof String)) {
                throw Checks.notAllowed("filter", value, "a text");
              }
              setFilter((String) value);
            }
            case "limit" ->
                limit = (int) Checks.range("limit", whole("limit", value), 1, MAX_LIMIT);
            case "waitMs" -> setWaitMs(whole("waitMs", value));
            default ->
                throw new IllegalArgumentException(
                    "unknown member "
                        + member.getKey()
                        + " of a query for changes, known are filter, from, limit, waitMs");
          }
        });
  }

  private static long whole(String name, Object value) {
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw Checks.notAllowed(name, value, "a whole number");
  }

  private static long checked(long position) {
    return Checks.range("from", position, 0, Long.MAX_VALUE);
  }

  /** Null for now. */
  public Long getFrom() {
    return from;
  }

  /**
   * The position behind which changes are read: {@link ChangePage#position()} of the page before,
   * or 0 for the first change of the factory. Without it, by default, those that come from now on.
   */
  public ChangeQuery setFrom(long from) {
    this.from = checked(from);
    return this;
  }

  /** Null for all documents. */
  public String getFilter() {
    return filter;
  }

  /**
   * Which documents are asked for, in the language of {@link Query#setFilter}; null, the default,
   * for all. It may name indexed fields. A document that is created and does not match is left out.
   */
  public ChangeQuery setFilter(String filter) {
    this.filter = filter;
    return this;
  }

  public int getLimit() {
    return limit;
  }

  /** The most changes of a page, {@value #DEFAULT_LIMIT} by default. */
  public ChangeQuery setLimit(int limit) {
    this.limit = Checks.range("limit", limit, 1, MAX_LIMIT);
    return this;
  }

  public long getWaitMs() {
    return waitMs;
  }

  /**
   * How many milliseconds to wait for a change if there is none, 0 to {@value #MAX_WAIT_MS}; 0 by
   * default. A page without changes ends the wait.
   */
  public ChangeQuery setWaitMs(long waitMs) {
    this.waitMs = Checks.range("waitMs", waitMs, 0, MAX_WAIT_MS);
    return this;
  }
}
