package dev.weir.bench.cluster.member;

import java.util.Optional;

/**
 * Threads of a process.
 *
 * @param started since it began
 * @param alive now
 */
public record ThreadCount(long started, long alive) {

  /** What a member prints of it; empty for another line. */
  static Optional<ThreadCount> parse(String line) {
    String[] words = line.split(" ");
    return words.length == 3 && words[0].equals(MemberMain.THREADS)
        ? Optional.of(new ThreadCount(Long.parseLong(words[1]), Long.parseLong(words[2])))
        : Optional.empty();
  }
}
