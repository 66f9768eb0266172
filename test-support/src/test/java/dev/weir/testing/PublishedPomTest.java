package dev.weir.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The poms of published modules have what Maven Central asks for. */
class PublishedPomTest {
  private static final Path ROOT = Path.of("..");

  /** A child has the name and the description of its own, and the rest of its parent. */
  private static final List<String> OWN =
      List.of("/project/artifactId", "/project/name", "/project/description");

  private static final List<String> COMMON =
      List.of(
          "/project/url",
          "/project/licenses/license/name",
          "/project/licenses/license/url",
          "/project/developers/developer/name",
          "/project/developers/developer/organization",
          "/project/developers/developer/organizationUrl",
          "/project/scm/connection",
          "/project/scm/developerConnection",
          "/project/scm/url");

  private static Document pom(String module) throws Exception {
    File file = ROOT.resolve(module).resolve("pom.xml").toFile();
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
  }

  private static List<String> texts(Document pom, String path) throws XPathExpressionException {
    XPath xpath = XPathFactory.newInstance().newXPath();
    NodeList found = (NodeList) xpath.evaluate(path, pom, XPathConstants.NODESET);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(found.item(i).getTextContent().strip());
    }
    return texts;
  }

  private static List<String> facts(Document pom, List<String> paths) throws Exception {
    List<String> facts = new ArrayList<>();
    for (String path : paths) {
      List<String> texts = texts(pom, path);
      assertThat(texts).as(path).hasSize(1).doesNotContain("");
      facts.addAll(texts);
    }
    return facts;
  }

  /** All modules, the parent too, but those that the profile "release" leaves out. */
  static Stream<String> published() throws Exception {
    Document parent = pom("");
    Set<String> excluded = Set.copyOf(texts(parent, "//excludeArtifacts/artifact"));
    List<String> published = new ArrayList<>(List.of(""));
    for (String module : texts(parent, "/project/modules/module")) {
      if (!excluded.containsAll(texts(pom(module), "/project/artifactId"))) {
        published.add(module);
      }
    }
    assertThat(published).contains("bom", "archetype", "services/flow");
    return published.stream();
  }

  @ParameterizedTest(name = "[{index}] {0}")
  @MethodSource("published")
  void saysWhatItIsAndByWhom(String module) throws Exception {
    Document pom = pom(module);
    facts(pom, OWN);
    if (texts(pom, "/project/parent/artifactId").contains("weir-parent")) {
      for (String path : COMMON) {
        assertThat(texts(pom, path)).as(path).isEmpty();
      }
    } else {
      facts(pom, COMMON);
    }
  }

  @Test
  void theBomHasNoParentAndSaysTheSame() throws Exception {
    assertThat(facts(pom("bom"), COMMON)).isEqualTo(facts(pom(""), COMMON));
  }

  @Test
  void addressesOfThePomOfAModuleAreThoseOfTheParent() throws Exception {
    for (String address :
        List.of("project.url", "scm.url", "scm.connection", "scm.developerConnection")) {
      String append = "//@*[name()='child." + address + ".inherit.append.path']";
      assertThat(texts(pom(""), append)).as(address).containsExactly("false");
    }
  }
}
