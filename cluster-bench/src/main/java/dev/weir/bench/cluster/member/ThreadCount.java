package dev.weir.bench.cluster.member;

import java.util.Optional;

/**
 * How many threads a process has.
 *
 * @param started since the process began
 * @param alive now
 */
public record ThreadCount(long started, long alive) {

  /** Reads the line that a member prints; empty for any other line. */
  static Optional<ThreadCount> parse(String line) {
    String[] words = line.split(" ");
    return words.length == 3 && words[0].equals(MemberMain.THREADS)
        ? Optional.of(new ThreadCount(Long.parseLong(words[1]), Long.parseLong(words[2])))
        : Optional.empty();
  }
}
