package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The BOM that users import has the versions with which the build tests. */
class BomTest {
  private static final Pattern VERSION = Pattern.compile("<([a-z.-]+\\.version)>([^<]+)<");

  @Test
  void usersGetTheVersionsThatAreTested() throws IOException {
    Map<String, String> tested = versions(Path.of("..", "pom.xml"));
    Map<String, String> offered = versions(Path.of("..", "bom", "pom.xml"));
    assertThat(offered).isNotEmpty();
    assertThat(tested).containsAllEntriesOf(offered);
  }

  private static Map<String, String> versions(Path pom) throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (MatchResult match : VERSION.matcher(Files.readString(pom)).results().toList()) {
      versions.put(match.group(1), match.group(2));
    }
    return versions;
  }
}
