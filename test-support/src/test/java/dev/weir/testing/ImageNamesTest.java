package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The images that {@code docs/deploy} names are those that the build makes. */
class ImageNamesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path DEPLOY = ROOT.resolve("docs/deploy");
  private static final Pattern VERSION = Pattern.compile("<version>(.*)</version>");
  private static final Pattern IMAGE = Pattern.compile("(weir-\\w+):(\\S+)");
  private static final Pattern TAG = Pattern.compile("newTag: (\\S+)");
  private static final Pattern PROGRAM = Pattern.compile("<fat.jar>(\\w+)</fat.jar>");

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String version() {
    return VERSION.matcher(read(ROOT.resolve("pom.xml"))).results().findFirst().get().group(1);
  }

  /** The programs of which the build makes an image. */
  private static List<String> programs() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT.resolve("services"))) {
      return modules
          .map(module -> module.resolve("pom.xml"))
          .filter(Files::exists)
          .map(ImageNamesTest::read)
          .filter(pom -> pom.contains("<jib.skip>false</jib.skip>"))
          .flatMap(pom -> PROGRAM.matcher(pom).results())
          .map(found -> found.group(1))
          .sorted()
          .toList();
    }
  }

  @Test
  void theFilesForEachProgramNameItsImageAndTheVersionOfTheProject() throws IOException {
    assertThat(programs()).containsExactly("documents", "echo", "processor");
    for (String program : programs()) {
      Path directory = DEPLOY.resolve("kubernetes").resolve(program);
      assertThat(read(directory.resolve(program + ".yaml")))
          .contains("image: weir-" + program + ":" + version() + "\n");
      assertThat(read(directory.resolve("kustomization.yaml")))
          .contains("name: weir-" + program + "\n", "newName: weir-" + program + "\n");
      assertThat(read(DEPLOY.resolve("Dockerfile")))
          .contains("-t weir-" + program + ":" + version() + " ");
    }
  }

  @Test
  void noFileNamesAnotherVersion() throws IOException {
    try (Stream<Path> files = Files.walk(DEPLOY)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String text = read(file);
        Stream<String> tags =
            Stream.concat(
                IMAGE.matcher(text).results().map((MatchResult found) -> found.group(2)),
                TAG.matcher(text).results().map((MatchResult found) -> found.group(1)));
        assertThat(tags).as("%s", file).allMatch(version()::equals);
      }
    }
  }
}
