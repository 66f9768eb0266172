package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each test writes the sources of a small module, compiles them and checks its layers. */
class LayersTest {
  @TempDir private Path directory;

  private Path sources;
  private Path classes;

  @BeforeEach
  void writeAModuleWhoseLayersAreRight() throws IOException {
    sources = Files.createDirectory(directory.resolve("sources"));
    classes = Files.createDirectory(directory.resolve("classes"));
    write("m.Store", "public class Store { m.high.High high; m.low.Low low; Options options; }");
    write("m.Options", "public class Options { }");
    write("m.high.High", "public class High { m.low.Low low; m.Options options; }");
    write("m.low.Low", "public class Low { m.Options options; }");
    for (String name : List.of("m", "m.high", "m.low")) {
      writeFile(name + ".package-info", "/** Some classes. */\npackage " + name + ";");
    }
  }

  @Test
  void acceptsArrowsThatPointDown() {
    compile(files());

    assertThatCode(layers()::check).doesNotThrowAnyException();
  }

  @Test
  void refusesAnArrowFromALowerLayerToAHigherOne() throws IOException {
    write("m.low.Low", "public class Low { Object make() { return new m.high.High(); } }");

    assertFindings("arrow low.Low -> high.High");
  }

  @Test
  void refusesAnArrowInsideOfANestedClass() throws IOException {
    write("m.low.Low", "public class Low { static class Inner { m.high.High[] all; } }");

    assertFindings("arrow low.Low -> high.High");
  }

  @Test
  void refusesThatAnInnerPackageNamesTheEntry() throws IOException {
    write("m.high.High", "public class High { m.Store store; m.low.Low low; }");

    assertFindings("arrow high.High -> Store");
  }

  @Test
  void acceptsThatAProgramNamesTheEntryAndInnerPackages() throws IOException {
    write("m.tool.Tool", "public class Tool { m.Store store; m.low.Low low; }");
    writeFile("m.tool.package-info", "/** A program. */\npackage m.tool;");
    compile(files());

    assertThatCode(layers().program("tool")::check).doesNotThrowAnyException();
  }

  @Test
  void refusesThatAnInnerPackageNamesAProgram() throws IOException {
    write("m.tool.Tool", "public class Tool { }");
    writeFile("m.tool.package-info", "/** A program. */\npackage m.tool;");
    write("m.low.Low", "public class Low { m.tool.Tool tool; }");

    assertFindings(layers().program("tool"), "arrow low.Low -> tool.Tool");
  }

  @Test
  void refusesThatTheVocabularyNamesAnInnerPackage() throws IOException {
    write("m.Options", "public class Options { m.low.Low low; }");

    assertFindings("arrow Options -> low.Low");
  }

  @Test
  void refusesThatTheVocabularyNamesTheEntry() throws IOException {
    write("m.Options", "public class Options { Store store; }");

    assertFindings("arrow Options -> Store");
  }

  @Test
  void refusesThatPackagesOfOneLayerNameEachOther() {
    assertFindings(module().layer("high", "low"), "arrow high.High -> low.Low");
  }

  @Test
  void refusesAPackageThatIsInNoLayer() {
    assertFindings(module().layer("high"), "package low is in no layer");
  }

  @Test
  void refusesAStatedPackageWithoutClasses() {
    assertFindings(layers().layer("gone"), "package gone is stated and has no classes");
  }

  @Test
  void refusesAnEntryClassThatIsGone() {
    Layers layers = new Layers("m", Set.of("m.Store", "m.Gone"), classes, sources);

    assertFindings(
        layers.layer("high").layer("low"), "entry class m.Gone is not in the module's sources");
  }

  @Test
  void refusesAPackageOfTooManyClasses() throws IOException {
    for (int i = 0; i < Layers.MAX_CLASSES; i++) {
      write("m.low.Low" + i, "public class Low" + i + " { class Nested { } }");
    }

    assertFindings("package low has 41 classes, more than 40");
  }

  @Test
  void refusesAFileOfTooManyLines() throws IOException {
    write("m.low.Low", "public class Low {" + "\n".repeat(Layers.MAX_LINES) + "}");

    assertFindings("file low/Low.java has 402 lines, more than 400");
  }

  @Test
  void refusesAPackageWithoutPackageInfo() throws IOException {
    Files.delete(sources.resolve("m/low/package-info.java"));

    assertFindings("package low has no package-info.java");
  }

  @Test
  void refusesALibraryOutsideOfItsPackages() throws IOException {
    write("m.low.Low", "public class Low { java.util.zip.CRC32C crc; }");
    write("m.Options", "public class Options { java.util.zip.CRC32C crc; }");

    assertFindings(
        layers().library("java.util.zip", "low"), "library java.util.zip is named by Options");
    assertFindings(
        layers().library("java.util.zip", ""), "library java.util.zip is named by low.Low");
  }

  @Test
  void overlooksGeneratedClasses() throws IOException {
    Path generated = Files.createDirectory(directory.resolve("generated"));
    Path file = generated.resolve("Generated.java");
    Files.writeString(file, "package m.generated; public class Generated { m.Store store; }");
    compile(Stream.concat(files().stream(), Stream.of(file)).toList());

    assertThatCode(layers()::check).doesNotThrowAnyException();
  }

  @Test
  void findsClassesAndSourcesOfAModuleByAnEntryClass() {
    assertThatThrownBy(Layers.entry(Layers.class).layer("gone", "faults")::check)
        .hasMessage(
            "layers of dev.weir.testing have 1 findings:\n"
                + "  package gone is stated and has no classes");
  }

  private Layers module() {
    return new Layers("m", Set.of("m.Store"), classes, sources);
  }

  private Layers layers() {
    return module().layer("high").layer("low");
  }

  private void assertFindings(String... findings) {
    assertFindings(layers(), findings);
  }

  private void assertFindings(Layers layers, String... findings) {
    compile(files());
    assertThatThrownBy(layers::check)
        .isInstanceOf(AssertionError.class)
        .satisfies(
            thrown ->
                assertThat(thrown.getMessage().lines().skip(1).map(String::strip))
                    .containsExactly(findings));
  }

  private void write(String name, String body) throws IOException {
    writeFile(name, "package " + name.substring(0, name.lastIndexOf('.')) + ";\n" + body);
  }

  private void writeFile(String name, String text) throws IOException {
    Path file = sources.resolve(name.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<Path> files() {
    try (Stream<Path> walk = Files.walk(sources)) {
      return walk.filter(Files::isRegularFile).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void compile(List<Path> files) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean compiles =
          compiler
              .getTask(
                  null,
                  manager,
                  null,
                  List.of("-d", classes.toString(), "-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      assertThat(compiles).isTrue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
