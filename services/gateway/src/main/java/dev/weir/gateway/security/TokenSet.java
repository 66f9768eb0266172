package dev.weir.gateway.security;

import dev.weir.gateway.http.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tokens that are valid at the same time. Only their hashes are kept; how long a comparison takes
 * tells nothing about them. Immutable.
 */
public final class TokenSet {
  /** {@value}: short ones can be guessed. */
  static final int MIN_LENGTH = 16;

  static final TokenSet EMPTY = new TokenSet(List.of());

  private static final int MAX_LENGTH = 1024;
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

  /**
   * A token.
   *
   * @param client a name of who has the token, which shows nothing of it
   */
  record Token(String name, byte[] hash, String client) {}

  private final List<Token> entries;

  private TokenSet(List<Token> entries) {
    this.entries = entries;
  }

  /**
   * One entry a line, <code>[name:]token</code>; blank lines and comments are skipped.
   *
   * @param where the text is from, for the errors; they never show a token
   * @throws IllegalArgumentException if there is no token, or one that is not allowed
   */
  static TokenSet ofLines(String where, String text) {
    return of(where, "line ", text.lines().map(String::strip).toList());
  }

  /** As {@link #ofLines}, with blanks or commas between the entries. */
  static TokenSet ofList(String where, String text) {
    return of(where, "entry ", Stream.of(text.strip().split("[\\s,]+")).toList());
  }

  private static TokenSet of(String where, String unit, List<String> texts) {
    List<Token> entries = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      if (!texts.get(i).isEmpty() && !texts.get(i).startsWith("#")) {
        entries.add(entry(where, unit + (i + 1), texts.get(i)));
      }
    }
    if (entries.isEmpty()) {
      throw new IllegalArgumentException(where + " has no token, allowed is one at least");
    }
    return new TokenSet(List.copyOf(entries));
  }

  private static Token entry(String where, String place, String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? place : text.substring(0, colon).strip();
    String token = text.substring(colon + 1).strip();
    if (token.length() < MIN_LENGTH || token.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "the token in %s, %s is of %d characters, allowed is %d to %d"
              .formatted(where, place, token.length(), MIN_LENGTH, MAX_LENGTH));
    }
    if (!ALLOWED.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "the token in %s, %s has characters that are not allowed, allowed are letters, digits and ._~+/-"
              .formatted(where, place));
    }
    byte[] hash = hash(token);
    return new Token(name, hash, Fingerprint.ofClient(hash));
  }

  TokenSet and(TokenSet other) {
    return new TokenSet(Stream.concat(entries.stream(), other.entries.stream()).toList());
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** The token, or null if it is none of these. */
  Token find(byte[] hash) {
    Token found = null;
    for (Token entry : entries) {
      if (MessageDigest.isEqual(entry.hash, hash)) {
        found = entry;
      }
    }
    return found;
  }

  static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** How many, never which. */
  @Override
  public String toString() {
    return entries.size() + " tokens";
  }
}
