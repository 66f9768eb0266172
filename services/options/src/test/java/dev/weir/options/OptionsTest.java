package dev.weir.options;

import static dev.weir.options.OptionTypes.name;
import static dev.weir.options.OptionTypes.path;
import static dev.weir.options.OptionTypes.section;
import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptionsTest {
  enum Mode {
    SLOW,
    FAST
  }

  static final class Inner extends Options<Inner> {
    private static final OptionSet OPTIONS = new OptionSet();
    private static final Option<Integer> DEPTH =
        OPTIONS.integer("depth", 1, 0, 9).does("How deep it goes.");

    Inner() {
      super(OPTIONS);
    }

    Inner(Inner other) {
      super(other);
    }

    Inner(Map<String, ?> map) {
      super(OPTIONS, map);
    }

    int getDepth() {
      return get(DEPTH);
    }

    Inner setDepth(int depth) {
      return set(DEPTH, depth);
    }
  }

  static final class Outer extends Options<Outer> {
    private static final OptionSet OPTIONS = new OptionSet();
    static final Option<Integer> WORKERS =
        OPTIONS.integer("workers", 2, 1, 10).does("Messages handled at once.");
    static final Option<Long> BYTES = OPTIONS.whole("bytes", 8, 0, 1L << 40).does("Bytes.");
    static final Option<Double> SHARE = OPTIONS.decimal("share", 0.5, 0, 1).does("A share.");
    static final Option<Boolean> EAGER = OPTIONS.flag("eager", false).does("Whether.");
    static final Option<String> HOST = OPTIONS.add("host", text("a host"), "here").does("A host.");
    static final Option<String> NAME = OPTIONS.add("name", name(), null).does("A name.");
    static final Option<Path> DIRECTORY =
        OPTIONS.add("directory", path().orNull(), null).does("Where the data is.");
    static final Option<List<String>> PEERS =
        OPTIONS.add("peers", texts(), List.of()).does("Peers.");
    static final Option<Mode> MODE = OPTIONS.choice("mode", Mode.SLOW).does("Mode.");
    static final Option<Inner> INNER =
        OPTIONS.add("inner", section(Inner::new, Inner::new), new Inner()).does("More.");

    Outer() {
      super(OPTIONS);
    }

    Outer(Outer other) {
      super(other);
    }

    Outer(Map<String, ?> map) {
      super(OPTIONS, map);
    }

    <V> V value(Option<V> option) {
      return get(option);
    }

    <V> Outer with(Option<V> option, V value) {
      return set(option, value);
    }
  }

  private static Outer changed() {
    return new Outer()
        .with(Outer.WORKERS, 3)
        .with(Outer.BYTES, 1L << 35)
        .with(Outer.SHARE, 0.25)
        .with(Outer.EAGER, true)
        .with(Outer.HOST, "there")
        .with(Outer.NAME, "a-1")
        .with(Outer.DIRECTORY, Path.of("data"))
        .with(Outer.PEERS, List.of("a", "b"))
        .with(Outer.MODE, Mode.FAST)
        .with(Outer.INNER, new Inner().setDepth(4));
  }

  @Test
  void optionsSurviveAMapAndACopy() {
    Map<String, Object> map = changed().toMap();
    assertThat(map)
        .containsEntry("mode", "FAST")
        .containsEntry("directory", "data")
        .containsEntry("inner", Map.of("depth", 4));
    assertThat(new Outer(map).toMap()).isEqualTo(map);
    assertThat(new Outer(changed()).toMap()).isEqualTo(map);
  }

  @Test
  void anOptionThatIsNotSetIsNotInTheMap() {
    assertThat(new Outer().toMap()).doesNotContainKeys("name", "directory");
    assertThat(new Outer(Map.of()).toMap()).isEqualTo(new Outer().toMap());
  }

  @Test
  void aCopyAndItsOriginalShareNothingThatCanChange() {
    Inner inner = new Inner().setDepth(4);
    List<String> peers = new ArrayList<>(List.of("a"));
    Outer options = new Outer().with(Outer.INNER, inner).with(Outer.PEERS, peers);
    Outer copy = new Outer(options);

    inner.setDepth(5);
    peers.add("b");
    options.value(Outer.INNER).setDepth(6);

    assertThat(copy.value(Outer.INNER).getDepth()).isEqualTo(4);
    assertThat(options.value(Outer.PEERS)).containsExactly("a");
    assertThat(new Outer().value(Outer.INNER).getDepth()).isEqualTo(1);
  }

  static List<Arguments> badEntries() {
    return List.of(
        Arguments.of("workers", 0, "workers is 0, allowed is 1 to 10"),
        Arguments.of("workers", 99_999_999_999L, "workers is 99999999999, allowed is 1 to 10"),
        Arguments.of("workers", "many", "workers is many, allowed is a whole number"),
        Arguments.of("workers", 1.5, "workers is 1.5, allowed is a whole number"),
        Arguments.of("bytes", -1, "bytes is -1, allowed is 0 to 1099511627776"),
        Arguments.of("bytes", null, "bytes is null, allowed is a whole number"),
        Arguments.of("share", 2, "share is 2.0, allowed is 0.0 to 1.0"),
        Arguments.of("eager", "yes", "eager is yes, allowed is true or false"),
        Arguments.of("host", " ", "host is blank, allowed is a host"),
        Arguments.of("host", 7, "host is 7, allowed is a text"),
        Arguments.of("name", "a/b", "name is a/b, allowed are 1 to 64 letters, digits, dots,"),
        Arguments.of("directory", 7, "directory is 7, allowed is a text"),
        Arguments.of("peers", "a", "peers is a, allowed is a list of texts"),
        Arguments.of("peers", List.of(1), "peers is 1, allowed is a text"),
        Arguments.of("mode", "MOON", "mode is MOON, allowed is one of [SLOW, FAST]"),
        Arguments.of("inner", 7, "inner is 7, allowed is an object"),
        Arguments.of("inner", Map.of("depth", 10), "depth is 10, allowed is 0 to 9"),
        Arguments.of("wrokers", 1, "unknown option wrokers, known are bytes, directory, eager,"));
  }

  @ParameterizedTest
  @MethodSource("badEntries")
  void aBadEntryIsNamedWithItsValueAndWhatIsAllowed(String option, Object value, String message) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(option, value);
    assertThatThrownBy(() -> new Outer(map))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aBadValueIsRefusedBySettersToo() {
    assertThatThrownBy(() -> new Outer().with(Outer.WORKERS, 11))
        .hasMessage("workers is 11, allowed is 1 to 10");
    assertThatThrownBy(() -> new Outer().with(Outer.MODE, null))
        .hasMessage("mode must not be null");
    assertThat(new Outer().with(Outer.DIRECTORY, null).value(Outer.DIRECTORY)).isNull();
  }

  @Test
  void theNearestNameIsProposedForAnUnknownOption() {
    assertThatThrownBy(() -> new Outer(Map.of("wrokers", 1)))
        .hasMessageEndingWith(": did you mean workers?");
    assertThatThrownBy(() -> new Outer(Map.of("Directory", "x")))
        .hasMessageEndingWith(": did you mean directory?");
    assertThatThrownBy(() -> new Outer(Map.of("elephant", 1))).hasMessageEndingWith("workers");
  }

  @Test
  void everyOptionSaysWhatItDoesAndWhatIsAllowed() {
    assertThat(new Outer().declared().all())
        .hasSize(10)
        .allSatisfy(option -> assertThat(option.does()).endsWith("."))
        .allSatisfy(option -> assertThat(option.type().allowed()).isNotBlank());
  }
}
