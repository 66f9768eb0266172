package dev.weir.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard for Grafana and the alert rules ask for what is there. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PublishedQueriesTest {
  private static final Path DASHBOARD = Path.of("../../docs/grafana/weir.json");
  private static final Pattern NAME = Pattern.compile("\\b(weir|vertx|jvm|process|system)_\\w+");
  private static final Pattern RULE = Pattern.compile("(?m)^ +expr: (.+)$");
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (.+)$");

  @TempDir Path directory;

  @Test
  void eachPanelAsksOnlyForMetricsOfARealScrape() throws IOException {
    List<String> queries = panelQueries();
    assertThat(queries).hasSizeGreaterThan(30);
    assertAreThere(queries);
  }

  @Test
  void eachAlertAsksOnlyForMetricsOfARealScrape() throws IOException {
    String rules = Files.readString(AlertRules.FILE);
    List<String> queries = RULE.matcher(rules).results().map(found -> found.group(1)).toList();
    assertThat(queries).hasSameSizeAs(ALERT.matcher(rules).results().toList());
    assertAreThere(queries);
  }

  @Test
  void panelsDoNotOverlapAndHaveEachAnIdOfItsOwn() throws IOException {
    List<JsonObject> panels = panels().toList();
    assertThat(panels).extracting(panel -> panel.getInteger("id")).doesNotHaveDuplicates();
    assertThat(panels)
        .extracting(panel -> panel.getJsonObject("gridPos"))
        .extracting(at -> at.getInteger("x") + "," + at.getInteger("y"))
        .doesNotHaveDuplicates();
  }

  private void assertAreThere(List<String> queries) {
    Set<String> there;
    try (BusyNode busy = new BusyNode(directory)) {
      System.gc();
      Await.until(
          "a collection and an answer are counted",
          () -> busy.scrape().names().containsAll(Set.of("jvm_gc_pause_seconds_sum")));
      there = busy.scrape().names();
    }
    for (String query : queries) {
      Set<String> asked = new TreeSet<>();
      Matcher names = NAME.matcher(query);
      while (names.find()) {
        asked.add(names.group());
      }
      assertThat(asked).describedAs(query).isNotEmpty().isSubsetOf(there);
    }
  }

  private static Stream<JsonObject> panels() throws IOException {
    return new JsonObject(Files.readString(DASHBOARD))
        .getJsonArray("panels").stream().map(JsonObject.class::cast);
  }

  private static List<String> panelQueries() throws IOException {
    List<String> queries = new ArrayList<>();
    panels()
        .filter(panel -> panel.containsKey("targets"))
        .flatMap(panel -> panel.getJsonArray("targets").stream())
        .forEach(target -> queries.add(((JsonObject) target).getString("expr")));
    new JsonObject(Files.readString(DASHBOARD))
        .getJsonObject("templating").getJsonArray("list").stream()
            .map(JsonObject.class::cast)
            .filter(variable -> variable.getString("type").equals("query"))
            .forEach(variable -> queries.add(variable.getJsonObject("query").getString("query")));
    return queries;
  }
}
