package dev.weir.bench;

import java.util.List;

/** Picks scenarios by name. */
final class ScenarioChoice {
  private ScenarioChoice() {}

  /** The named ones, in the order of the suite. */
  static List<Scenario> of(List<String> names, List<Scenario> all) {
    List<String> known = all.stream().map(Scenario::name).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new UnknownScenarioException(name, known);
      }
    }
    return all.stream().filter(scenario -> names.contains(scenario.name())).toList();
  }

  /** A name that no scenario has. */
  static final class UnknownScenarioException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnknownScenarioException(String name, List<String> known) {
      super("unknown scenario '" + name + "'; there are: " + String.join(", ", known));
    }
  }
}
