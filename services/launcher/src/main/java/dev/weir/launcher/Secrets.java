package dev.weir.launcher;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Tells which settings are secrets: by the name of the setting, or by the text of the value, such
 * as a password in a URL.
 */
final class Secrets {
  static final String MASK = "***";

  /** Shorter texts are found in other words by chance. */
  private static final int MIN_HIDDEN_CHARS = 4;

  /** Ends of the names of secrets of any kind; a number can be a password. */
  private static final List<String> WORDS =
      List.of(
          "token",
          "secret",
          "password",
          "passwd",
          "passphrase",
          "passcode",
          "pwd",
          "credential",
          "signature",
          "salt");

  /**
   * Ends of the names of secrets if their value is a text: many settings that end in "keys" count
   * keys.
   */
  private static final List<String> WORDS_OF_TEXT =
      List.of("key", "auth", "authorization", "cookie", "dsn");

  /** Ends of the names of secrets if the name has one of {@link #STORES} before. */
  private static final List<String> WORDS_OF_STORE = List.of("url", "uri", "string");

  private static final List<String> STORES =
      List.of(
          "jdbc", "database", "datasource", "connection", "db", "redis", "mongo", "amqp", "broker");

  private static final Pattern SECRET_TEXT =
      Pattern.compile("(?is)jdbc:.*|.*-----BEGIN .*PRIVATE KEY-----.*|bearer .*|basic .*");
  private static final Pattern USER_OF_URL =
      Pattern.compile("(?i)\\b([a-z][a-z0-9+.-]*://)[^/?#\\s]*@");
  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?i)\\b([a-z0-9_.-]*(?:password|pwd|token|secret|key|signature)=)[^&;,\\s]+");

  private Secrets() {}

  /**
   * A name such as adminToken, apiKey or passwords; not tokenFile, which only says where one is.
   */
  static boolean isSecret(String name) {
    return isSecretOfAnyKind(name) || name.equalsIgnoreCase("pass") || isSecretText(singular(name));
  }

  private static boolean isSecretOfAnyKind(String name) {
    return end(singular(name), WORDS) >= 0;
  }

  private static boolean isSecretText(String name) {
    if (end(name, WORDS_OF_TEXT) >= 0) {
      return true;
    }
    int end = end(name, WORDS_OF_STORE);
    return end >= 0 && STORES.stream().anyMatch(name.substring(0, end)::contains);
  }

  /** In lower case, without an s at its end: no word that ends the name of a secret has one. */
  private static String singular(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith("s") ? lower.substring(0, lower.length() - 1) : lower;
  }

  /** Where the word begins with which the name ends; -1 for none of them. */
  private static int end(String name, List<String> words) {
    for (String word : words) {
      if (name.endsWith(word)) {
        return name.length() - word.length();
      }
    }
    return -1;
  }

  /** A copy in which secrets that are set are {@value #MASK}. */
  static JsonObject mask(JsonObject settings) {
    JsonObject masked = new JsonObject();
    settings.forEach(entry -> masked.put(entry.getKey(), mask(entry.getKey(), entry.getValue())));
    return masked;
  }

  private static Object mask(String name, Object value) {
    if (value instanceof JsonObject section) {
      return mask(section);
    }
    if (value instanceof JsonArray list) {
      JsonArray masked = new JsonArray();
      list.forEach(each -> masked.add(mask(name, each)));
      return masked;
    }
    if (value == null) {
      return null;
    }
    if (value instanceof String text) {
      return isSecret(name) && !text.isEmpty() ? MASK : maskText(text);
    }
    return isSecretOfAnyKind(name) ? MASK : value;
  }

  private static String maskText(String text) {
    if (SECRET_TEXT.matcher(text).matches()) {
      return MASK;
    }
    String masked = USER_OF_URL.matcher(text).replaceAll("$1" + MASK + "@");
    return PARAMETER.matcher(masked).replaceAll("$1" + MASK);
  }

  /** A line for the user without the secrets of the settings: an error may name a bad value. */
  static String hide(String line, JsonObject settings) {
    String hidden = line;
    List<String> secrets = secrets(null, settings);
    // One that is part of another would leave the rest of that one to be seen.
    secrets.sort(Comparator.comparingInt(String::length).reversed());
    for (String secret : secrets) {
      hidden = hidden.replace(secret, MASK);
    }
    return hidden;
  }

  private static List<String> secrets(String name, Object value) {
    List<String> secrets = new ArrayList<>();
    if (value instanceof JsonObject section) {
      section.forEach(entry -> secrets.addAll(secrets(entry.getKey(), entry.getValue())));
    } else if (value instanceof JsonArray list) {
      list.forEach(each -> secrets.addAll(secrets(name, each)));
    } else if (value != null
        && !value.equals(mask(name, value))
        && value.toString().length() >= MIN_HIDDEN_CHARS) {
      secrets.add(value.toString());
    }
    return secrets;
  }
}
