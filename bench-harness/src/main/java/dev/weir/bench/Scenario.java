package dev.weir.bench;

/** One thing to measure. A suite runs its scenarios one after another, each on a quiet machine. */
public interface Scenario {

  /** A short name without spaces, unique in its suite: what {@code --scenario} takes. */
  String name();

  /** One sentence for the report: what is sent where, and what the figures mean. */
  String description();

  /**
   * Whether the quick profile runs it when no scenario is named; true by default. The quick profile
   * is for the rows of page one, and has five minutes.
   */
  default boolean isQuick() {
    return true;
  }

  /** Whether {@code --forks} measures it in further JVMs as well: it has rows of page one. */
  default boolean isHeadline() {
    return false;
  }

  /**
   * Measures, reporting a row for each case through the context, and releases what it started.
   *
   * @throws Exception anything: it becomes a failed row, and the run continues
   */
  void run(RunContext context) throws Exception;
}
