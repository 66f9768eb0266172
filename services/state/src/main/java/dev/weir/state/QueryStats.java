package dev.weir.state;

/**
 * Queries and counts of a factory by their outcome, since it was opened.
 *
 * @param completed those that were answered; each page counts
 * @param refused those that could not be run, such as one that names an unknown field
 * @param busy those that were refused because too many waited
 * @param failed those that failed because of the store
 */
public record QueryStats(long completed, long refused, long busy, long failed) {
  static final QueryStats NONE = new QueryStats(0, 0, 0, 0);
}
