package dev.weir.state.query;

import dev.weir.state.index.IndexField;
import dev.weir.state.index.IndexValue;
import io.vertx.core.json.JsonObject;
import java.util.Set;

/** A condition on documents. */
public sealed interface Filter {
  /** All documents. */
  Filter ALL = new All();

  /** Whether a document meets the condition. */
  boolean test(JsonObject document);

  /** The values of a field that a document must have to meet the condition. */
  Bounds bounds(IndexField field);

  /** Adds the paths that the condition names. */
  void addPaths(Set<String> paths);

  /** How a value is compared. */
  enum Operator {
    EQUAL("="),
    LESS("<"),
    AT_MOST("<="),
    MORE(">"),
    AT_LEAST(">="),
    STARTS("^=");

    final String sign;

    Operator(String sign) {
      this.sign = sign;
    }
  }

  /** Every document meets it. */
  record All() implements Filter {
    @Override
    public boolean test(JsonObject document) {
      return true;
    }

    @Override
    public Bounds bounds(IndexField field) {
      return null;
    }

    @Override
    public void addPaths(Set<String> paths) {}
  }

  /** Both conditions are met. */
  record And(Filter one, Filter other) implements Filter {
    @Override
    public boolean test(JsonObject document) {
      return one.test(document) && other.test(document);
    }

    @Override
    public Bounds bounds(IndexField field) {
      Bounds first = one.bounds(field);
      Bounds second = other.bounds(field);
      return first == null ? second : second == null ? first : first.and(second);
    }

    @Override
    public void addPaths(Set<String> paths) {
      one.addPaths(paths);
      other.addPaths(paths);
    }
  }

  /** One of the conditions is met, or both. */
  record Or(Filter one, Filter other) implements Filter {
    @Override
    public boolean test(JsonObject document) {
      return one.test(document) || other.test(document);
    }

    @Override
    public Bounds bounds(IndexField field) {
      Bounds first = one.bounds(field);
      Bounds second = other.bounds(field);
      return first == null || second == null ? null : first.or(second);
    }

    @Override
    public void addPaths(Set<String> paths) {
      one.addPaths(paths);
      other.addPaths(paths);
    }
  }

  /**
   * A field is compared with a value. A document without the field, and one with a value of another
   * type, does not meet the condition.
   *
   * @param value a text, a number or a truth value; a text for {@link Operator#STARTS}
   */
  record Compare(String path, Operator operator, Object value) implements Filter {
    @Override
    public boolean test(JsonObject document) {
      Object found = IndexField.valueIn(document, path);
      if (operator == Operator.STARTS) {
        return found instanceof CharSequence text && text.toString().startsWith((String) value);
      }
      Integer order = IndexValue.compare(found, value);
      return order != null
          && switch (operator) {
            case EQUAL -> order == 0;
            case LESS -> order < 0;
            case AT_MOST -> order <= 0;
            case MORE -> order > 0;
            case AT_LEAST -> order >= 0;
            case STARTS -> false;
          };
    }

    /** Bounds include the value itself: forms of texts are cut, so equal forms may differ. */
    @Override
    public Bounds bounds(IndexField field) {
      if (!field.path().equals(path)) {
        return null;
      }
      if (operator == Operator.STARTS) {
        byte[] prefix = field.prefix(IndexValue.ofPrefix((String) value));
        return new Bounds(prefix, Bounds.behind(prefix), false);
      }
      byte[] form = IndexValue.of(value);
      byte[] least = field.prefix(form);
      byte[] end = Bounds.behind(least);
      byte[] type = field.prefix(new byte[] {form[0]});
      return switch (operator) {
        case EQUAL -> new Bounds(least, end, true);
        case LESS, AT_MOST -> new Bounds(type, end, false);
        default -> new Bounds(least, Bounds.behind(type), false);
      };
    }

    @Override
    public void addPaths(Set<String> paths) {
      paths.add(path);
    }
  }
}
