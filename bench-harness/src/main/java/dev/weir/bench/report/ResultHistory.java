package dev.weir.bench.report;

import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The published results of earlier commits, of one machine class: a file for each module and
 * commit. The report says what has changed since the last one.
 */
final class ResultHistory {
  private static final String DIRECTORY = "history";
  private static final String COMMIT = "environment.gitCommit";
  private static final String STARTED = "startedAt";
  private static final int DAY_LENGTH = "2026-01-01".length();
  private static final int HASH_LENGTH = 9;

  private final Path directory;

  /** The history in the directory of a machine class; it need not exist yet. */
  ResultHistory(Path machineClass) {
    this.directory = machineClass.resolve(DIRECTORY);
  }

  /**
   * Keeps a published file that is about to be replaced, unless it is of the same commit. One with
   * rows that failed is kept too: its other rows can be compared.
   */
  void keep(Path published, String newCommit) throws IOException {
    if (!Files.exists(published)) {
      return;
    }
    PublishedRun run = PublishedRun.read(published);
    if (!run.text(COMMIT).equals(newCommit)) {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve(name(run)), Files.readString(published));
    }
  }

  private static String name(PublishedRun run) {
    String commit = run.text(COMMIT).replaceAll("[^A-Za-z0-9]", "");
    return String.join(
            "_",
            run.suite(),
            run.text(STARTED).substring(0, DAY_LENGTH),
            commit.substring(0, Math.min(HASH_LENGTH, commit.length())))
        + PublishedRun.JSON;
  }

  /** The change since the last run of the module before this one, with the same profile. */
  Optional<String> change(PublishedRun run) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Optional.empty();
    }
    return PublishedRun.readAll(directory).stream()
        .filter(before -> before.suite().equals(run.suite()))
        .filter(before -> before.text("profile").equals(run.text("profile")))
        .filter(before -> before.text(STARTED).compareTo(run.text(STARTED)) < 0)
        .max(Comparator.comparing(before -> before.text(STARTED)))
        .map(before -> change(before, run));
  }

  private static String change(PublishedRun before, PublishedRun now) {
    String commit = before.text(COMMIT);
    long failed =
        before.rows().stream()
            .filter(row -> row.verdict().equals(Verdict.Kind.FAIL.name()))
            .count();
    return String.format(
        "Since %s, commit %s%s: %s",
        before.text(STARTED).substring(0, DAY_LENGTH),
        commit.substring(0, Math.min(HASH_LENGTH, commit.length())),
        failed == 0 ? "" : " (" + failed + " failed then)",
        Comparison.of(List.of(before), List.of(now)).brief());
  }
}
