package dev.weir.state.query;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;

import dev.weir.state.DocumentException;
import dev.weir.state.query.Filter.Compare;
import dev.weir.state.query.Filter.Operator;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the text of a filter:
 *
 * <pre>
 * filter     = and, { "or", and }
 * and        = term, { "and", term }
 * term       = "(", filter, ")" | path, operator, value
 * operator   = "=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;=" | "^="
 * value      = number | "true" | "false" | 'text' | "text"
 * </pre>
 *
 * In a text a backslash keeps the character behind it as it is.
 */
public final class FilterParser {
  private static final int MAX_CHARS = 10_000;
  private static final int MAX_DEPTH = 50;

  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:([()])|(\\^=|<=|>=|[=<>])|'((?:[^'\\\\]|\\\\.)*+)'|\"((?:[^\"\\\\]|\\\\.)*+)\""
              + "|([^\\s()=<>^'\"]++))",
          Pattern.DOTALL);

  private final String text;
  private final Matcher token;
  private int end;
  private int depth;

  private FilterParser(String text) {
    this.text = text;
    this.token = TOKEN.matcher(text);
  }

  /**
   * Reads a filter.
   *
   * @param text null or blank for all documents
   * @throws DocumentException {@code BAD_REQUEST}, with the place
   */
  public static Filter parse(String text) {
    if (text == null || text.isBlank()) {
      return Filter.ALL;
    }
    if (text.length() > MAX_CHARS) {
      throw new DocumentException(
          BAD_REQUEST, "the filter has " + text.length() + " characters, allowed are " + MAX_CHARS);
    }
    FilterParser parser = new FilterParser(text);
    parser.next();
    Filter filter = parser.filter();
    if (parser.end >= 0) {
      throw parser.bad("the end, \"and\" or \"or\"");
    }
    return filter;
  }

  /** Goes to the next token; {@link #end} is -1 behind the last one. */
  private void next() {
    if (text.substring(end).isBlank()) {
      end = -1;
      return;
    }
    token.region(end, text.length());
    if (!token.lookingAt()) {
      throw new DocumentException(
          BAD_REQUEST, "the filter cannot be read at character " + (end + 1) + ": " + text);
    }
    end = token.end();
  }

  private boolean isWord(String word) {
    return end >= 0 && token.group(5) != null && token.group(5).equalsIgnoreCase(word);
  }

  private boolean isSign(String sign) {
    return end >= 0 && sign.equals(token.group(1));
  }

  private Filter filter() {
    if (++depth > MAX_DEPTH) {
      throw new DocumentException(
          BAD_REQUEST, "the filter has more than " + MAX_DEPTH + " parentheses within each other");
    }
    Filter filter = and();
    while (isWord("or")) {
      next();
      filter = new Filter.Or(filter, and());
    }
    depth--;
    return filter;
  }

  private Filter and() {
    Filter filter = term();
    while (isWord("and")) {
      next();
      filter = new Filter.And(filter, term());
    }
    return filter;
  }

  private Filter term() {
    if (isSign("(")) {
      next();
      Filter inner = filter();
      if (!isSign(")")) {
        throw bad("\")\"");
      }
      next();
      return inner;
    }
    if (end < 0 || token.group(5) == null) {
      throw bad("a field or \"(\"");
    }
    String path = token.group(5);
    next();
    Operator operator = operator();
    next();
    Object value = value();
    if (operator == Operator.STARTS && !(value instanceof String)) {
      throw bad("a text in quotes behind ^=");
    }
    next();
    return new Compare(path, operator, value);
  }

  private Operator operator() {
    for (Operator operator : Operator.values()) {
      if (end >= 0 && operator.sign.equals(token.group(2))) {
        return operator;
      }
    }
    throw bad("one of = < <= > >= ^=");
  }

  private Object value() {
    if (end < 0) {
      throw bad("a value");
    }
    String quoted = token.group(3) == null ? token.group(4) : token.group(3);
    if (quoted != null) {
      return quoted.replaceAll("(?s)\\\\(.)", "$1");
    }
    String word = token.group(5);
    if (word == null) {
      throw bad("a value");
    }
    if (word.equals("true") || word.equals("false")) {
      return Boolean.valueOf(word);
    }
    if (word.matches("-?\\d{1,18}")) {
      return Long.valueOf(word);
    }
    if (word.matches("-?\\d{1,400}(\\.\\d{1,400})?([eE][+-]?\\d{1,3})?")) {
      return new BigDecimal(word);
    }
    throw bad("a number, true, false, or a text in quotes");
  }

  private DocumentException bad(String expected) {
    String place =
        end < 0
            ? "at its end"
            : "at character " + (token.start() + 1) + " (" + token.group().trim() + ")";
    return new DocumentException(
        BAD_REQUEST, "the filter has a mistake " + place + ", expected is " + expected);
  }
}
