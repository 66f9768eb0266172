package dev.weir.state;

import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The code that a user adds to a factory: a validator and actions. Filled before it is used. */
public final class FactoryRules {
  /** Names that mean an operation of the store. */
  private static final Set<String> RESERVED =
      Set.of(
          "create",
          "get",
          "put",
          "replace",
          "merge",
          "patch",
          "delete",
          "expire",
          "query",
          "count",
          "versions",
          "changes");

  /** Null for none. */
  private DocumentValidator validator;

  private final Map<String, DocumentAction> actions = new LinkedHashMap<>();

  public FactoryRules() {}

  /** Copies the rules. */
  public FactoryRules(FactoryRules other) {
    this.validator = other.validator;
    this.actions.putAll(other.actions);
  }

  /** Sets the check of each new content; the default accepts all. */
  public FactoryRules setValidator(DocumentValidator validator) {
    this.validator = Checks.notNull("validator", validator);
    return this;
  }

  /**
   * Adds an action.
   *
   * @param name 1 to 64 letters, digits, dots, dashes and underscores, no operation of the store
   * @throws IllegalArgumentException for another name, or one that is taken
   */
  public FactoryRules addAction(String name, DocumentAction action) {
    OptionTypes.name("action", name);
    Checks.notNull("action", action);
    if (RESERVED.contains(name) || actions.putIfAbsent(name, action) != null) {
      throw new IllegalArgumentException("action " + name + " is taken");
    }
    return this;
  }

  /** Whether there is neither a validator nor an action. */
  public boolean isEmpty() {
    return validator == null && actions.isEmpty();
  }

  /** Null if all contents are accepted. */
  public DocumentValidator validator() {
    return validator;
  }

  /** Null if there is none of that name. */
  public DocumentAction action(String name) {
    return actions.get(name);
  }
}
