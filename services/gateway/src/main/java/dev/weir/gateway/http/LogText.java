package dev.weir.gateway.http;

/** Makes texts of clients and of other nodes safe for one line of the log. */
public final class LogText {
  private static final int MAX_CHARS = 1000;

  private LogText() {}

  /** Returns the text without characters that could forge a line of the log; a long text is cut. */
  public static String of(String text) {
    String shown = String.valueOf(text);
    StringBuilder line = new StringBuilder(Math.min(shown.length(), MAX_CHARS));
    for (int i = 0; i < shown.length() && i < MAX_CHARS; i++) {
      char next = shown.charAt(i);
      line.append(isFit(next) ? next : '?');
    }
    return shown.length() > MAX_CHARS ? line.append("...").toString() : line.toString();
  }

  private static boolean isFit(char next) {
    return !Character.isISOControl(next)
        && Character.getType(next) != Character.FORMAT
        && Character.getType(next) != Character.LINE_SEPARATOR
        && Character.getType(next) != Character.PARAGRAPH_SEPARATOR;
  }
}
