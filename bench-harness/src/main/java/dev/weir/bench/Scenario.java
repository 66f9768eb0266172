package dev.weir.bench;

/** One thing to measure. A suite runs its scenarios one after another, each on a quiet machine. */
public interface Scenario {

  /** Its name, its description, and when it runs. */
  About about();

  /**
   * Measures, reporting a row for each case through the context, and releases what it started.
   *
   * @throws Exception anything: it becomes a failed row, and the run continues
   */
  void run(RunContext context) throws Exception;

  /**
   * What a suite knows of a scenario.
   *
   * @param name short, without spaces, unique in its suite: what {@code --scenario} takes
   * @param description for the report: what is sent where, and what the figures mean
   * @param isQuick whether the quick profile runs it when no scenario is named; that profile is for
   *     the rows of page one, and has five minutes
   * @param isHeadline whether several JVMs share its rounds, as {@code --forks} says: it has rows
   *     of page one
   */
  record About(String name, String description, boolean isQuick, boolean isHeadline) {
    /** A scenario that both profiles run. */
    public static About of(String name, String description) {
      return new About(name, description, true, false);
    }

    /** A scenario that has rows of page one. */
    public static About headline(String name, String description) {
      return new About(name, description, true, true);
    }

    /** A scenario for which only the full profile has time. */
    public static About fullOnly(String name, String description) {
      return new About(name, description, false, false);
    }
  }
}
