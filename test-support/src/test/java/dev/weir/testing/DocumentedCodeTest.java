package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Documentation may name only classes and methods that the sources of this project declare. */
class DocumentedCodeTest {
  private static final Path ROOT = Path.of("..");
  private static final List<Path> DOCUMENTS =
      List.of(
          ROOT.resolve("docs/architecture.md"),
          ROOT.resolve("docs/architecture"),
          ROOT.resolve("docs/glossary.md"),
          ROOT.resolve("CONTRIBUTING.md"));

  /** In the documents: {@code `Class.method`}, perhaps with parentheses. */
  private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)(\\(\\))?`");

  /** In the documents: {@code `Class`} or {@code `package.Class`}, of at least two words. */
  private static final Pattern CLASS = Pattern.compile("`(?:[a-z]+\\.)*([A-Z][a-z]+[A-Z]\\w*)`");

  /** A row of a table of hops: number, method, thread, what happens. */
  private static final Pattern HOP = Pattern.compile("\\| *\\d+ *\\| *([^|]*)\\|([^|]*)\\|.*");

  /** Classes of libraries that the documents mention. */
  private static final Set<String> FOREIGN =
      Set.of(
          "ClusteredMessage",
          "DbScavenger",
          "DbVerify",
          "DbVerifyLog",
          "Environment",
          "HdrHistogram",
          "MessageImpl",
          "ServiceLoader");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");

  /** Text of the files that declare a type of this simple name. */
  private static Map<String, List<String>> sources;

  private record Mention(Path document, String text) {}

  @BeforeAll
  static void readSources() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      sources =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> file.toString().contains("src/"))
              .map(DocumentedCodeTest::read)
              .flatMap(text -> types(text).stream().map(type -> Map.entry(type, text)))
              .collect(
                  Collectors.groupingBy(
                      Map.Entry::getKey,
                      Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }
  }

  private static Set<String> types(String text) {
    Set<String> types = new LinkedHashSet<>();
    Matcher type = TYPE.matcher(text);
    while (type.find()) {
      types.add(type.group(1));
    }
    return types;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyNamedMethodIsDeclared() throws IOException {
    List<Mention> mentions = mentions(METHOD);
    assertThat(mentions).isNotEmpty();
    assertThat(mentions)
        .filteredOn(mention -> !FOREIGN.contains(group(METHOD, mention.text(), 1)))
        .filteredOn(mention -> !declaresMethod(mention.text()))
        .isEmpty();
  }

  @Test
  void everyNamedClassIsDeclared() throws IOException {
    assertThat(mentions(CLASS))
        .filteredOn(mention -> !sources.containsKey(group(CLASS, mention.text(), 1)))
        .filteredOn(mention -> !FOREIGN.contains(group(CLASS, mention.text(), 1)))
        .isEmpty();
  }

  @Test
  void everyHopNamesAMethodAndItsThread() throws IOException {
    List<Mention> hops = mentions(HOP);
    hops.removeIf(hop -> !hop.document().endsWith("walks.md"));
    assertThat(hops).hasSizeGreaterThan(20);
    assertThat(hops)
        .allSatisfy(
            hop -> {
              assertThat(METHOD.matcher(group(HOP, hop.text(), 1)).find()).isTrue();
              assertThat(group(HOP, hop.text(), 2)).isNotBlank();
            });
  }

  @Test
  void findsAMethodOfAClassAndOfANestedClassButNoCall() {
    assertThat(declaresMethod("`DocumentedCodeTest.readSources`")).isTrue();
    assertThat(declaresMethod("`Mention.text`")).as("component of a record").isTrue();
    assertThat(declaresMethod("`DocumentedCodeTest.walk`")).as("only called").isFalse();
    assertThat(declaresMethod("`DocumentedCodeTest.gone`")).isFalse();
    assertThat(declaresMethod("`GoneClass.read`")).isFalse();
  }

  private static boolean declaresMethod(String mention) {
    String type = group(METHOD, mention, 1);
    String method = group(METHOD, mention, 2);
    // A declaration has a type before its name: no call, which follows a dot, a sign or a keyword.
    Pattern declaration =
        Pattern.compile(
            "(?m)^ +(?!return |throw |new |else |yield |assert )(?:@?[\\w<>\\[\\],.?&]+ )+"
                + method
                + "\\(");
    Pattern component =
        Pattern.compile("record " + type + "(?:<[^(]*>)?\\([^)]*\\b" + method + "\\s*[,)]");
    return sources.getOrDefault(type, List.of()).stream()
        .anyMatch(text -> declaration.matcher(text).find() || component.matcher(text).find());
  }

  private static String group(Pattern pattern, String text, int group) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group(group);
  }

  private static List<Mention> mentions(Pattern pattern) throws IOException {
    List<Mention> mentions = new ArrayList<>();
    for (Path document : documents()) {
      Matcher matcher = pattern.matcher(Files.readString(document));
      while (matcher.find()) {
        mentions.add(new Mention(document, matcher.group()));
      }
    }
    return mentions;
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    for (Path start : DOCUMENTS) {
      try (Stream<Path> files = Files.walk(start)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
      }
    }
    return documents;
  }
}
