package dev.weir.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the tables of requests that two parsers may read in two ways. */
final class DesyncCases {
  private static final String SEPARATOR = " \\|(?: |$)";

  private DesyncCases() {}

  /**
   * @param fields of the case, without escapes resolved
   */
  record Case(String name, String expected, List<String> fields) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** The cases of a resource beside this class, in their order. */
  static List<Case> read(String resource) {
    List<Case> cases = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                DesyncCases.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          List<String> fields = Arrays.asList(line.split(SEPARATOR, -1));
          cases.add(new Case(fields.get(0), fields.get(1), fields.subList(2, fields.size())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return cases;
  }

  /**
   * Each byte of a list such as {@code 01-1f 7f}, as an escape.
   *
   * @param list "none" for a case without a byte
   * @return one empty text for "none"
   */
  static List<String> bytes(String list) {
    if (list.equals("none")) {
      return List.of("");
    }
    List<String> bytes = new ArrayList<>();
    for (String range : list.split(" ")) {
      String[] ends = range.split("-");
      int last = Integer.parseInt(ends[ends.length - 1], 16);
      for (int each = Integer.parseInt(ends[0], 16); each <= last; each++) {
        bytes.add(String.format("\\x%02x", each));
      }
    }
    return bytes;
  }

  /** The text that stands in the table with escapes. */
  static String unescape(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
        continue;
      }
      char escape = text.charAt(++i);
      if (escape == 'x') {
        plain.append((char) Integer.parseInt(text, i + 1, i + 3, 16));
        i += 2;
      } else {
        plain.append(escaped(escape));
      }
    }
    return plain.toString();
  }

  private static char escaped(char escape) {
    return switch (escape) {
      case 'r' -> '\r';
      case 'n' -> '\n';
      case 't' -> '\t';
      case '0' -> '\0';
      case '\\' -> '\\';
      default -> throw new IllegalArgumentException("no escape: \\" + escape);
    };
  }
}
