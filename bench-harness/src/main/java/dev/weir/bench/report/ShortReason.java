package dev.weir.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reasons of a verdict in the few words that a table has room for. */
final class ShortReason {
  private static final Map<Pattern, String> SHORTER = new LinkedHashMap<>();
  private static final Pattern OF_FLOOR = Pattern.compile("(?:JVM \\d+: )?floor [^:]*: (.*)");

  static {
    shorten("the best round is ([\\d.,]+) times the worst", "$1 x worst");
    shorten("(?:before: )?p99 is ([\\d.,]+) times p50", "p99 $1 x p50");
    shorten("target rate missed: done ([\\d.,]+)/s.*", "only $1/s");
    shorten("refused by a limit (\\d+)", "$1 refused");
    shorten("(\\d+) % garbage collection", "$1 % GC");
    shorten("(\\d+) % stolen time", "$1 % stolen");
    shorten("an idle thread woke ([\\d.]+ ms) late at p99", "noise $1");
    shorten("\\S+(?: time)? is ([\\d.]+) of the floor .*", "$1 of its floor");
    shorten("the client is the bottleneck: busy for (\\d+) % .*", "client busy $1 %");
    shorten("neither side .*: the server was busy for (\\d+) % .*", "server busy $1 %");
  }

  private ShortReason() {}

  private static void shorten(String reason, String shorter) {
    SHORTER.put(Pattern.compile("(?:JVM \\d+: |over all JVMs: )?" + reason), shorter);
  }

  /** The first of the reasons. */
  static String of(String reasons) {
    String first = reasons.split("; ", 2)[0];
    Matcher ofFloor = OF_FLOOR.matcher(first);
    return ofFloor.matches() ? "floor: " + shorter(ofFloor.group(1)) : shorter(first);
  }

  private static String shorter(String reason) {
    for (Map.Entry<Pattern, String> one : SHORTER.entrySet()) {
      Matcher found = one.getKey().matcher(reason);
      if (found.matches()) {
        return found.replaceFirst(one.getValue());
      }
    }
    return reason;
  }
}
