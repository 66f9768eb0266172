package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.weir.bench.env.Environment;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarkReportTest {
  private static final List<String> TEMPLATE =
      """
      # what some-bench shows
      %section 1 requests
      %row pool scenario=rpc case=one-way path=memory
      %row bare scenario=rpc path=raw-bus
      %row gone scenario=rpc path=nowhere
      %other other pool scenario=rpc least=opsPerSec.median
      %row slow scenario=rpc least=opsPerSec.median
      %question 1 What does the pool cost?
      %again some-bench rpc
        {pool rate|12} {pool spread} {bare rate} {pool/bare} {pool-bare} {gone rate} {pool p99}
        worst: {slow text path} {slow rate}
        ratio {pool ratio xRaw|-11}.
        seen [[gone {gone rate}; ]][[bare {bare per} ]]{pool why}
      [[  nothing {gone p99}]]
      [[  worst row {other rate} ({other text path})]]
      %worse extra.ratio scenario=rpc : a peer, {payloadBytes} B,
      %worse 1/extra.xp99 scenario=rpc : the bus, p99
      %table Requests
      %rows scenario=rpc
      %sort opsPerSec.median
      %column path = path
      %column median/s = opsPerSec.median
      %column body = body
      %peers Others
      %rows scenario=peer
      %column path = path
      """
          .lines()
          .toList();

  private static final String RESULTS = BenchmarkReport.RESULTS + "/";

  @TempDir private Path directory;
  private Path file;
  private BenchmarkReport report;

  @BeforeEach
  void setUp() {
    file = directory.resolve("BENCHMARK.txt");
    report = new BenchmarkReport(file);
  }

  private static Results results(Row... rows) {
    Results plain = Samples.results(rows);
    return new Results(
        plain.suite(),
        plain.profile(),
        plain.startedAt(),
        plain.environment(),
        plain.rows(),
        TEMPLATE);
  }

  private static Row bare(double perSec) {
    return Samples.rpc().path("raw-bus").opsPerSec(new Spread(perSec, perSec, perSec));
  }

  private String published(Row... rows) throws IOException {
    report.publish(results(rows));
    return Files.readString(file);
  }

  @Test
  void pageOneAnswersQuestionsWithFiguresOfTheRows() throws IOException {
    Row pool = Samples.rpc().latency(Samples.latencies()).extra("ratio", 0.5);
    assertThat(published(pool, bare(2_000_000)))
        .contains(
            "WEIR BENCHMARK   commit abc123, 2026-01-02, profile quick\n",
            "Machine   Some CPU, 2 CPUs, 4 GiB; /dev/x ext4, write cache on; Linux 6;"
                + " JDK 17.0.1\n",
            "Rows      2: 2 OK, 0 FAIL (!), 0 MISSED (!), 0 UNSTABLE (~), 0 SUSPECT (?)",
            "What does the pool cost?",
            "[some-bench rpc]\n",
            "  1,250,000/s (16 %) 2,000,000/s 0.63 300 ns - 2.5 us\n",
            "  worst: memory 1,250,000/s\n  seen bare 2,000,000\nSlower",
            "Slower than an alternative; worst ratio (+ more rows below 1): a peer, 74 B, 0.50\n",
            "[M S]: again by java -jar M/target/M.jar --scenario S. All: ./mvnw -Pbenchmark verify.",
            "docs/results/cpu-2/. Charts: target/bench/report.html\n");
  }

  @Test
  void aPageOfTheFullProfileIsMadeAgainByTheFullProfile() throws IOException {
    Results quick = results(Samples.rpc());
    report.publish(
        new Results(
            quick.suite(),
            "full",
            quick.startedAt(),
            quick.environment(),
            quick.rows(),
            quick.template()));
    assertThat(Files.readString(file).replaceAll("\\s+", " "))
        .contains("M.jar --full --scenario S. All: ./mvnw -Pbenchmark,full verify");
  }

  @Test
  void pageOneNamesTheRowsThatFailed() throws IOException {
    Row pool = Samples.rpc().and(Verdict.fail("lost 7"));
    assertThat(published(pool, bare(2_000_000)))
        .contains("\nFailed    rpc one-way memory: lost 7\n");
    Row thrown = Row.of("peer-logs").verdict(Verdict.fail("java.lang.AssertionError: why"));
    assertThat(published(thrown, bare(2_000_000)))
        .contains("\nFailed    peer-logs: java.lang.AssertionError: why\n");
  }

  private static Row failed(String scenario, String path, String reason) {
    return Row.of(scenario).caseName("stop").path(path).verdict(Verdict.fail(reason));
  }

  @Test
  void pageOneNamesEachOfSeveralFailedRowsOnce() throws IOException {
    Row large = failed("failover", "tcp", "lost 8").payloadBytes(1_000);
    assertThat(
            published(
                failed("failover", "tcp", "lost 7"), large, failed("peer", "ratis", "it ended")))
        .contains("\nFailed    failover stop tcp x2, peer stop ratis (why: end of the section)\n");
    Row[] many =
        IntStream.range(0, 9)
            .mapToObj(i -> failed("failover", "transport-" + i, "lost " + i))
            .toArray(Row[]::new);
    assertThat(published(many))
        .contains(
            "\nFailed    failover stop transport-0, failover stop transport-1,"
                + " failover stop transport-2 and 6 more\n");
  }

  @Test
  void aSectionEndsWithTheFailedRowsThatNoTableExplains() throws IOException {
    Row shown = Samples.rpc().and(Verdict.fail("lost 7"));
    String text =
        published(
            shown, failed("failover", "tcp", "lost 8"), failed("peer", "ratis", "w".repeat(99)));
    assertThat(text)
        .contains(
            "  memory  1,250,001  buffer  ! lost 7\nFailed: failover stop tcp: lost 8\n\n=== peers",
            "\n  ratis  ! www",
            "\nFailed: peer stop ratis: www")
        .doesNotContain("Failed: rpc");
    assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    Row[] many =
        IntStream.range(0, 9)
            .mapToObj(i -> failed("failover", "t" + i, "lost " + i))
            .toArray(Row[]::new);
    assertThat(published(many)).contains("t6: lost 6\nFailed: 2 more rows: see the result files\n");
  }

  @Test
  void aWorstCaseIsLeftOutWhereItIsTheHeadline() throws IOException {
    Row pool = Samples.rpc();
    assertThat(published(pool)).doesNotContain("worst row");
    Row slower = Samples.rpc().path("overflow").opsPerSec(new Spread(1, 2, 3));
    assertThat(published(pool, slower)).contains("  worst row 2/s (overflow)\n");
  }

  @Test
  void pageOneNamesTheWorstRowOfEachComparisonTheWorstFirst() throws IOException {
    Row pool = Samples.rpc().extra("ratio", 0.5).extra("xp99", 4.0);
    Row other = bare(2_000_000).extra("ratio", 0.4).and(Verdict.of(Verdict.Kind.SUSPECT, "odd"));
    assertThat(published(pool, other).replaceAll("\\s+", " "))
        .contains("1): the bus, p99 0.25; a peer, 74 B, 0.40? (+1) [M S]");
  }

  @Test
  void othersHaveASectionOfTheirOwnIfTheyWereMeasured() throws IOException {
    assertThat(published(Samples.rpc())).doesNotContain("=== peers");
    assertThat(published(Samples.rpc(), Row.of("peer").path("them").verdict(Verdict.ok())))
        .endsWith(
            "\n\n=== peers: other systems, measured in the same run (-Ppeers)\nOthers\n  path\n  them\n");
  }

  @Test
  void aTableThatIsTooWideLosesItsLastColumns() throws IOException {
    Row wide = Samples.rpc().path("p".repeat(60)).body("b".repeat(60));
    assertThat(published(wide)).contains("  " + "p".repeat(60) + "  1,250,001\n");
  }

  @Test
  void aRatioTakenRoundByRoundShowsItsRange() throws IOException {
    Row pool = Samples.rpc().ratio("xRaw", Spread.of(0.81, 0.7, 0.9));
    assertThat(published(pool, bare(2_000_000))).contains("  ratio 0.81 (0.70-0.90).\n");
  }

  @Test
  void aSmallRatioHasTwoDigitsAndAShareItsSign() {
    Row row = Samples.rpc().ratio("xRaw", Spread.of(0.0141, 0.012, 0.0996));
    row.extra("more", 306).extra("less", -23L).extra("none", 0.0);
    Placeholders figures = new Placeholders(Map.of("pool", new PublishedRow(ResultsJson.row(row))));
    assertThat(figures.fill("{pool ratio xRaw}")).isEqualTo("0.014 (0.012-0.10)");
    assertThat(figures.fill("{pool percent extra.more|6}{pool percent extra.less|5}"))
        .isEqualTo(" +306% -23%");
    assertThat(figures.fill("{pool percent extra.gone|3}{pool x extra.none|5}"))
        .isEqualTo("  - 0.00");
  }

  @Test
  void saysHowManyJvmsMeasuredAndWithWhichFlagsProcessesRun() throws IOException {
    Row pool = Samples.rpc().extra("JVMs", 3).extra("childFlags", List.of("-Xmx64m", "-Dx=y"));
    assertThat(published(pool, bare(2_000_000)))
        .contains("; 1 rows in 3 JVMs", ". Processes: rpc: -Xmx64m\n");
    Row bare = bare(2_000_000).extra("childFlags", List.of());
    assertThat(published(pool, bare)).contains(". Processes: rpc: -Xmx64m, or none\n");
  }

  @Test
  void aRowThatIsNotOkKeepsItsPlaceIsMarkedAndCounted() throws IOException {
    Row pool = Samples.rpc().and(Verdict.of(Verdict.Kind.UNSTABLE, "rounds differ"));
    assertThat(published(pool, bare(2_000_000)))
        .contains(
            "1 OK, 0 FAIL (!), 0 MISSED (!), 1 UNSTABLE (~)",
            "1,250,000/s~",
            "0.63~ 300 ns~",
            "bare 2,000,000 ~ rounds differ\n",
            "  path      median/s  body\n",
            "  raw-bus  2,000,000  buffer\n",
            "  memory   1,250,001  buffer  ~ rounds differ\n");
  }

  @Test
  void theTextFollowsFromThePublishedFilesAlone() throws IOException {
    String text = published(Samples.rpc(), bare(2_000_000));
    assertThat(BenchmarkReport.text(directory.resolve("docs/results/cpu-2"))).isEqualTo(text);
    assertThat(published(Samples.rpc(), bare(2_000_000))).isEqualTo(text);
    assertThat(directory.resolve("docs/results/cpu-2"))
        .isDirectoryContaining("glob:**/some-bench.csv");
  }

  private void publish(String commit, String startedAt, double... perSec) throws IOException {
    publish(commit, startedAt, Samples.rpc().opsPerSec(Spread.of(perSec)));
  }

  private void publish(String commit, String startedAt, Row row) throws IOException {
    Results plain = results(row);
    Environment here = plain.environment();
    Environment then =
        new Environment(
            here.jdk(),
            here.os(),
            here.cpus(),
            here.maxHeapBytes(),
            here.gc(),
            commit,
            here.versions(),
            here.cpuModel(),
            here.memoryBytes(),
            here.jvmFlags(),
            here.disk());
    report.publish(
        new Results(
            plain.suite(),
            plain.profile(),
            Instant.parse(startedAt),
            then,
            plain.rows(),
            plain.template()));
  }

  @Test
  void aRunWithFailedRowsIsComparedWithTooAndSaysSo() throws IOException {
    publish("0123456789", "2026-01-01T00:00:00Z", 50, 55, 60);
    publish(
        "abcdefghij",
        "2026-02-01T00:00:00Z",
        Samples.rpc().and(Verdict.of(Verdict.Kind.FAIL, "answers are missing")));
    publish("klmnopqrst", "2026-03-01T00:00:00Z", 100, 110, 120);
    assertThat(Files.readString(file))
        .contains("Since 2026-02-01, commit abcdefghi (1 failed then): 0 faster, 0 slower,");
  }

  @Test
  void saysWhatHasChangedSinceTheLastResultOfAnotherCommit() throws IOException {
    publish("0123456789", "2026-01-01T00:00:00Z", 50, 55, 60);
    publish("abcdefghij", "2026-02-01T00:00:00Z", 100, 110, 120);
    assertThat(Files.readString(file))
        .contains("Since 2026-01-01, commit 012345678: 1 faster, 0 slower,");
    publish("abcdefghij", "2026-03-01T00:00:00Z", 50, 52, 61);
    String text = Files.readString(file);
    assertThat(text).contains("2026-01-01, commit 012345678: 0 faster, 0 slower, 1 no difference");
    assertThat(BenchmarkReport.text(directory.resolve("docs/results/cpu-2"))).isEqualTo(text);
    assertThat(directory.resolve(BenchmarkReport.PAGE)).exists();
  }

  @Test
  void aSectionThatIsTooLongSaysHowManyLinesItLeavesOut() throws IOException {
    Results plain = results(Samples.rpc());
    List<String> template = new ArrayList<>(TEMPLATE);
    for (int i = 1; i <= ModuleSection.MAX_LINES; i++) {
      template.add("%text line " + i);
    }
    report.publish(
        new Results(
            plain.suite(),
            plain.profile(),
            plain.startedAt(),
            plain.environment(),
            plain.rows(),
            template));
    List<String> lines = Files.readAllLines(file);
    List<String> section = lines.subList(lines.indexOf("") + 1, lines.size());
    assertThat(section).hasSize(ModuleSection.MAX_LINES).contains("line 54");
    assertThat(section.get(ModuleSection.MAX_LINES - 1))
        .isEqualTo("and 6 more lines, for which there is no room: see the result files");
  }

  @Test
  void aTemplateThatCannotBeReadNamesTheLine() {
    assertThatThrownBy(() -> ReportTemplate.parse(List.of("%row pool rpc")))
        .hasMessageContaining("report.template: %row pool rpc: rows are selected by name=value");
    assertThatThrownBy(() -> ReportTemplate.parse(List.of("%colour red")))
        .hasMessageContaining("unknown %colour");
  }

  @Test
  void isLocatedBesideGitOrWhereItAlreadyIs() throws IOException {
    Path below = Files.createDirectories(directory.resolve("module/target"));
    Files.createDirectory(directory.resolve(".git"));
    assertThat(BenchmarkReport.locate(below)).contains(file);
    Path nearer = directory.resolve("module/BENCHMARK.txt");
    Files.createFile(nearer);
    assertThat(BenchmarkReport.locate(below)).contains(nearer);
  }

  /**
   * The report in the root of the project is what the result files of its machine class and the
   * templates of the modules give. With {@code -Dweir.docs.write=true} both are written anew.
   */
  @Test
  void nobodyHasTypedInTheReportOfTheProject() throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    Path published = root.resolve(BenchmarkReport.FILE_NAME);
    assumeThat(published).exists();
    Path results = root.resolve(RESULTS).resolve(machineClass(Files.readString(published)));
    boolean write = Boolean.getBoolean("weir.docs.write");
    try (Stream<Path> classes = Files.list(root.resolve(RESULTS))) {
      for (Path machineClass : classes.filter(Files::isDirectory).toList()) {
        for (PublishedRun run : PublishedRun.readAll(machineClass)) {
          List<String> template = template(root.resolve(run.suite()));
          if (write) {
            replaceTemplate(machineClass.resolve(run.suite() + PublishedRun.JSON), run, template);
          } else {
            assertThat(run.json().get(ResultsJson.REPORT))
                .as("the template of " + run.suite() + "; -Dweir.docs.write=true writes it anew")
                .isEqualTo(template);
          }
        }
      }
    }
    if (write) {
      Files.writeString(published, BenchmarkReport.text(results));
    }
    assertThat(Files.readString(published)).isEqualTo(BenchmarkReport.text(results));
  }

  private static void replaceTemplate(Path file, PublishedRun run, List<String> template)
      throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    run.json().forEach((name, value) -> json.put(String.valueOf(name), value));
    json.put(ResultsJson.REPORT, template);
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(file, mapper.writeValueAsString(json) + "\n");
  }

  private static String machineClass(String report) {
    assertThat(report.contains(RESULTS)).as("page one names the result files").isTrue();
    String from = report.substring(report.indexOf(RESULTS) + RESULTS.length());
    return from.substring(0, from.indexOf('/'));
  }

  private static List<String> template(Path module) throws IOException {
    try (Stream<Path> files = Files.walk(module.resolve("src/main/resources"))) {
      return Files.readAllLines(
          files.filter(file -> file.endsWith("report.template")).findFirst().orElseThrow());
    }
  }

  @Test
  void theReportOfTheProjectIsAPageOfFortyLinesAndSectionsOfSixtyAllOfAHundredColumns()
      throws IOException {
    Path root = BenchmarkReport.locate(Path.of("")).orElseThrow().getParent();
    Path published = root.resolve(BenchmarkReport.FILE_NAME);
    assumeThat(published).exists();
    List<String> lines = Files.readAllLines(published);
    assertThat(lines.indexOf("")).as("lines of page one").isBetween(5, PageOne.MAX_LINES);
    assertThat(lines)
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(PageOne.MAX_WIDTH))
        .noneMatch(line -> line.contains("for which there is no room"));
    int section = 0;
    for (String line : lines) {
      section = line.startsWith("=== ") ? 1 : section + 1;
      assertThat(section).as("lines of a section").isLessThanOrEqualTo(ModuleSection.MAX_LINES + 1);
    }
  }
}
