package dev.weir.gateway.admin;

import dev.weir.queue.DeadLetters;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * A page of what an operator looks for, made of lists of the store, which hold some megabytes each.
 *
 * @param items in their order
 * @param nextNumber where to look for more; null if there are no more
 */
record Page<T>(List<T> items, Long nextNumber) {

  /**
   * Lists that one request looks at, so that none takes the store for long; nor more than the stack
   * has room for when the last one completes those before it.
   */
  private static final int MAX_LISTS = 100;

  /** Where the items come from. */
  interface Source<S> {
    /**
     * Lists items of this number and later ones; only an empty list says that there are no more.
     */
    Future<List<S>> list(long fromNumber, int max);
  }

  /**
   * The first items that fit, by their number.
   *
   * @param fits which; null for all
   * @param each makes of an item what is kept of it: all items may be more than the heap holds
   */
  static <S, T> Future<Page<T>> find(
      Source<S> source,
      ToLongFunction<S> number,
      Predicate<S> fits,
      long fromNumber,
      int max,
      Function<S, T> each) {
    return new Search<>(source, number, fits, max, each).from(fromNumber);
  }

  private static final class Search<S, T> {
    private final Source<S> source;
    private final ToLongFunction<S> number;
    private final Predicate<S> fits;
    private final int max;
    private final Function<S, T> each;
    private final List<T> found = new ArrayList<>();
    private int lists;

    Search(
        Source<S> source,
        ToLongFunction<S> number,
        Predicate<S> fits,
        int max,
        Function<S, T> each) {
      this.source = source;
      this.number = number;
      this.fits = fits;
      this.max = max;
      this.each = each;
    }

    Future<Page<T>> from(long from) {
      int size = fits == null ? max - found.size() : DeadLetters.MAX_LIST;
      return source.list(from, Math.max(1, size)).compose(this::take);
    }

    private Future<Page<T>> take(List<S> listed) {
      // A list of large items is short, and not the last one.
      if (listed.isEmpty()) {
        return Future.succeededFuture(new Page<>(found, null));
      }
      for (S item : listed) {
        if (found.size() == max) {
          return Future.succeededFuture(new Page<>(found, number.applyAsLong(item)));
        }
        if (fits == null || fits.test(item)) {
          found.add(each.apply(item));
        }
      }
      long next = number.applyAsLong(listed.get(listed.size() - 1)) + 1;
      lists++;
      return lists == MAX_LISTS ? Future.succeededFuture(new Page<>(found, next)) : from(next);
    }
  }
}
