package dev.weir.gateway.admin;

import dev.weir.flow.ServiceDeadLetters;
import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.gateway.http.ProblemException;
import dev.weir.gateway.http.ProblemType;
import dev.weir.queue.DeadLetters.Mark;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Selects dead letters by what an operator names in the request. Each part may be null, which any
 * letter fits.
 *
 * @param id the id of the message
 * @param key the key of the message
 * @param reason part of the reason, in any case
 * @param after the message died at this time or later
 * @param before the message died before this time
 */
record LetterFilter(String id, String key, String reason, Instant after, Instant before) {
  static LetterFilter of(HttpServerRequest request) {
    return new LetterFilter(
        request.getParam("id"),
        request.getParam("key"),
        request.getParam("reason"),
        time(request, "after"),
        time(request, "before"));
  }

  private static Instant time(HttpServerRequest request, String name) {
    String value = request.getParam(name);
    try {
      return value == null ? null : Instant.parse(value);
    } catch (DateTimeException e) {
      throw new ProblemException(
          ProblemType.BAD_REQUEST,
          name + " is " + value + ", allowed is a time such as 2026-01-31T23:59:59Z");
    }
  }

  /** True if every letter fits. */
  boolean isOpen() {
    return id == null && key == null && reason == null && after == null && before == null;
  }

  private boolean fits(Letter letter) {
    Instant died = Instant.ofEpochMilli(letter.diedAtMs());
    return (id == null || id.equals(letter.id()))
        && (key == null || key.equals(letter.key()))
        && (reason == null || contains(letter.reason(), reason))
        && (after == null || !died.isBefore(after))
        && (before == null || died.isBefore(before));
  }

  private static boolean contains(String text, String part) {
    return text != null && text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }

  /**
   * The first letters that fit, oldest first.
   *
   * @param upTo none that it does not cover; null for all
   * @param each makes of a letter what is kept of it: all letters may be more than the heap holds
   */
  <T> Future<Page<T>> find(
      ServiceDeadLetters letters, Mark upTo, long fromNumber, int max, Function<Letter, T> each) {
    Predicate<Letter> fits =
        upTo == null ? this::fits : letter -> upTo.covers(letter.number()) && fits(letter);
    boolean all = isOpen() && upTo == null;
    return Page.find(letters::list, Letter::number, all ? null : fits, fromNumber, max, each);
  }
}
