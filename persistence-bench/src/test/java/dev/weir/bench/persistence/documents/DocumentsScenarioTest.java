package dev.weir.bench.persistence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.persistence.PersistenceBench;
import dev.weir.bench.program.SeedParameters;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DocumentsScenarioTest {
  @TempDir private Path directory;

  @Test
  void everyPutIsAppliedOnceAndEveryQueryFindsItsDocuments() throws IOException {
    assertThat(rows("documents"))
        .containsExactly(
            "put-memory map",
            "put-memory weir xFloor",
            "put-persisted je",
            "put-persisted weir xFloor",
            "post-persisted je",
            "post-persisted weir xFloor");
    assertThat(rows("document-queries"))
        .containsExactly(
            "index je",
            "index weir xFloor",
            "equality je",
            "equality weir xFloor",
            "range je",
            "range weir xFloor");
  }

  /** Case, path and floor of the rows of a small run. */
  private List<String> rows(String scenario) throws IOException {
    run(scenario);
    return new JsonObject(Files.readString(directory.resolve("results.json")))
        .getJsonArray("rows").stream()
            .map(JsonObject.class::cast)
            .map(
                row ->
                    row.getString("case")
                        + " "
                        + row.getString("path")
                        + (row.encode().contains("xFloor") ? " xFloor" : ""))
            .toList();
  }

  private void run(String scenario) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int exitCode =
        new PersistenceBench()
            .execute(
                nowhere,
                nowhere,
                "--scenario",
                scenario,
                "--set",
                "scale=0.05",
                "--out",
                directory.toString());
    assertThat(exitCode).isZero();
  }

  @Test
  void aFloorHoldsWhatItAnswered() throws Exception {
    SeedParameters parameters = new SeedParameters(10, 0, 0, 0, false);
    try (DocumentFloor floor = new DocumentFloor(directory, parameters)) {
      for (DocumentWork work : DocumentWork.values()) {
        if (work.floor() == work) {
          assertThat(floor.round(work, 2_005).verdict().reasons()).isEmpty();
          assertThat(floor.verdict(work).reasons()).isEmpty();
        }
      }
    }
  }

  @Test
  void aPutThatTheFloorLostOrDamagedIsAFault() {
    DocumentFloor.Held held = new DocumentFloor.Held(25, 10);
    for (long number = 15; number < 24; number++) {
      held.add(DocumentFloor.body(number));
    }
    byte[] damaged = DocumentFloor.body(24);
    damaged[300]++;
    held.add(damaged);
    assertThat(held.verdict().reasons())
        .containsExactly(
            "the floor holds the last put of 9 of 10", "the floor holds older or damaged 1");
    held.add(DocumentFloor.body(14));
    held.add(DocumentFloor.body(24));
    assertThat(held.verdict().reasons()).containsExactly("the floor holds older or damaged 2");
  }

  @Test
  void aProcessWithASmallHeapDoesAllWork() throws Exception {
    try (ChildDocuments documents =
        new ChildDocuments(directory.resolve("data"), List.of("-Xmx64m"))) {
      for (DocumentWork work : DocumentWork.values()) {
        RoundResult result = documents.round(work, 2_000);
        assertThat(result.verdict().isOk()).as(result.toString()).isTrue();
        assertThat(documents.verdict(work).reasons()).isEmpty();
      }
    }
  }

  @Test
  void aPutThatIsAppliedTwiceIsAFault() throws Exception {
    SeedParameters parameters = new SeedParameters(10, 0, 0, 0, false);
    try (LocalDocuments documents = new LocalDocuments(directory.resolve("data"), parameters)) {
      documents.round(DocumentWork.PUT_MEMORY, 25);
      assertThat(documents.verdict(DocumentWork.PUT_MEMORY).reasons()).isEmpty();
      LocalDocuments.await(documents.factory(DocumentWork.PUT_MEMORY).put("3", new JsonObject()));
      documents.round(DocumentWork.PUT_MEMORY, 10);
      assertThat(documents.verdict(DocumentWork.PUT_MEMORY).reasons())
          .containsExactly("document 3 has 5 of 4 puts");
    }
  }
}
