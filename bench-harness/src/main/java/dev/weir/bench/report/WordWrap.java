package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Breaks long text at blanks. */
final class WordWrap {
  private static final String INDENT = "    ";

  private WordWrap() {}

  /** Lines of at most the width, further ones indented; a longer word keeps a line of its own. */
  static List<String> lines(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      if (!line.toString().isBlank() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(INDENT);
      } else if (line.length() > 0) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
