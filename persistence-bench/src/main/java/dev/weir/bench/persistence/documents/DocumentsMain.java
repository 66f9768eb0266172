package dev.weir.bench.persistence.documents;

import dev.weir.bench.Preheat;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.Names;
import dev.weir.bench.program.SeedParameters;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process with a heap of its own that works on documents. For each line of its standard input,
 * the name of a work and a number, it runs a round of so many operations and prints the result; for
 * the number 0 it prints whether each put was applied once.
 */
final class DocumentsMain {
  /** What a line with a result begins with. */
  static final String RESULT = "RESULT";

  /** How long the compilers of the process have worked. */
  static final String COMPILED_MS = "compiledMs";

  private DocumentsMain() {}

  /**
   * Runs until the end of its standard input.
   *
   * @param args the directory of the documents
   */
  public static void main(String[] args) throws Exception {
    try (LocalDocuments documents =
        new LocalDocuments(Path.of(args[0]), SeedParameters.ofSystem())) {
      serve(documents);
    }
  }

  /** Does what the lines of the standard input ask for, until their end. */
  static void serve(DocumentLoop documents) throws Exception {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      DocumentWork work = Names.parse(DocumentWork.class, "work", words[0]);
      long operations = Long.parseLong(words[1]);
      JsonObject result =
          operations == 0
              ? verdict(documents.verdict(work))
              : result(documents.round(work, operations));
      System.out.println(RESULT + " " + result.encode());
    }
  }

  private static JsonObject verdict(Verdict verdict) {
    return new JsonObject().put("problem", verdict.isOk() ? null : verdict.toString());
  }

  private static JsonObject result(RoundResult round) {
    return new JsonObject()
        .put(COMPILED_MS, Preheat.compiledMs())
        .put("received", round.tally().received())
        .put("failed", round.tally().failed())
        .put("firstFailure", round.tally().firstFailure())
        .put("elapsedNs", round.elapsedNs());
  }
}
