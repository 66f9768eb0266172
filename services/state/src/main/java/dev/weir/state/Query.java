package dev.weir.state;

import dev.weir.options.Checks;
import io.vertx.core.json.JsonObject;

/**
 * A question for the documents of a factory. See docs/state.md for the language of filters. Not
 * safe for use by several threads while it is changed.
 */
public final class Query {
  public static final int DEFAULT_LIMIT = 100;
  public static final int MAX_LIMIT = 10_000;

  private String filter;
  private String sort;
  private boolean descending;
  private int limit = DEFAULT_LIMIT;
  private String cursor;

  /** All documents. */
  public Query() {}

  /** Copies the query. */
  public Query(Query other) {
    this.filter = other.filter;
    this.sort = other.sort;
    this.descending = other.descending;
    this.limit = other.limit;
    this.cursor = other.cursor;
  }

  /**
   * @param json members {@code filter}, {@code sort}, {@code descending}, {@code limit} and {@code
   *     cursor}, each optional
   * @throws IllegalArgumentException naming an unknown member or a bad value
   */
  public Query(JsonObject json) {
    json.forEach(
        member -> {
          Object value = member.getValue();
          switch (member.getKey()) {
            case "filter" -> setFilter(text("filter", value));
            case "sort" -> setSort(text("sort", value));
            case "cursor" -> setCursor(text("cursor", value));
            case "descending" -> setDescending(Boolean.TRUE.equals(value));
            case "limit" -> {
              if (!(value instanceof Integer number)) {
                throw Checks.notAllowed("limit", value, "1 to " + MAX_LIMIT);
              }
              setLimit(number);
            }
            default ->
                throw new IllegalArgumentException(
                    "unknown member "
                        + member.getKey()
                        + " of a query, known are cursor, descending, filter, limit, sort");
          }
        });
  }

  private static String text(String name, Object value) {
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw Checks.notAllowed(name, value, "a text");
  }

  /** Null for all documents. */
  public String getFilter() {
    return filter;
  }

  /**
   * Which documents are asked for, such as {@code color = 'red' and (km < 1000 or owner.name ^=
   * 'An')}; null, the default, for all.
   */
  public Query setFilter(String filter) {
    this.filter = filter;
    return this;
  }

  /** Null for none. */
  public String getSort() {
    return sort;
  }

  /**
   * The indexed field by which documents are sorted; those without a value in it are left out.
   * Null, the default, for the order of the index that is read, or of the keys.
   */
  public Query setSort(String sort) {
    this.sort = sort;
    return this;
  }

  public boolean isDescending() {
    return descending;
  }

  /** Whether the order is turned around. */
  public Query setDescending(boolean descending) {
    this.descending = descending;
    return this;
  }

  public int getLimit() {
    return limit;
  }

  /** The most documents of a page, {@value #DEFAULT_LIMIT} by default. */
  public Query setLimit(int limit) {
    this.limit = Checks.range("limit", limit, 1, MAX_LIMIT);
    return this;
  }

  /** Null for the first page. */
  public String getCursor() {
    return cursor;
  }

  /** Where the page begins: {@link QueryPage#cursor()} of the page before it. */
  public Query setCursor(String cursor) {
    this.cursor = cursor;
    return this;
  }

  /** A text as a value in a filter, in quotes. */
  public static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
