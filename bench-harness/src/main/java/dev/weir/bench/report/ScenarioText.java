package dev.weir.bench.report;

import java.util.List;

/**
 * What stands around the table of a scenario.
 *
 * @param description a sentence above it, or empty
 * @param notes lines below it
 */
public record ScenarioText(String description, List<String> notes) {
  static final ScenarioText NONE = new ScenarioText("", List.of());

  /** Copies the notes. */
  public ScenarioText {
    notes = List.copyOf(notes);
  }
}
