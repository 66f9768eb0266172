package dev.weir.bench.persistence.documents;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.ChildJvm;
import dev.weir.bench.verify.Tally;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Documents of a store in a child process with a heap of a given size. */
final class ChildDocuments implements DocumentLoop {
  private static final long TIMEOUT_S = 600;

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final ChildJvm child;
  private long compiledMs;

  /** The flags of a JVM with a heap of so many MiB. */
  static List<String> heap(int mib) {
    return List.of("-Xms" + mib + "m", "-Xmx" + mib + "m", "-XX:+UseParallelGC");
  }

  /**
   * @param flags of the JVM
   */
  ChildDocuments(Path directory, List<String> flags) throws IOException {
    this(DocumentsMain.class, List.of(directory.toString()), flags);
  }

  /**
   * @param main speaks as {@link DocumentsMain} does
   */
  ChildDocuments(Class<?> main, List<String> arguments, List<String> flags) throws IOException {
    List<String> all = new ArrayList<>(flags);
    System.getProperties()
        .forEach(
            (name, value) -> {
              if (name.toString().matches("(xenon\\.)?(serviceCount|isStressTest)")) {
                all.add("-D" + name + "=" + value);
              }
            });
    child = ChildJvm.start(List.of(), all, main, arguments, lines::add);
    child.outcome().thenAccept(end -> lines.add(end.describe()));
  }

  /** The port that the process prints before anything else, if it does. */
  int port() throws IOException, InterruptedException {
    return Integer.parseInt(child.awaitLine("PORT", Duration.ofSeconds(TIMEOUT_S)));
  }

  @Override
  public RoundResult round(DocumentWork work, long operations) throws Exception {
    JsonObject result = ask(work + " " + operations);
    compiledMs = result.getLong(DocumentsMain.COMPILED_MS, 0L);
    long received = result.getLong("received");
    Tally tally =
        new Tally(
            operations,
            operations,
            received,
            result.getLong("failed"),
            0,
            0,
            0,
            result.getString("firstFailure"));
    return RoundResult.closedLoop(tally, result.getLong("elapsedNs"));
  }

  @Override
  public long compiledMs() {
    return compiledMs;
  }

  @Override
  public Verdict verdict(DocumentWork work) throws Exception {
    String problem = ask(work + " 0").getString("problem");
    return Verdict.ok().unless(problem == null, problem);
  }

  private JsonObject ask(String line) throws IOException, InterruptedException {
    child.say(line);
    StringBuilder others = new StringBuilder();
    for (String answer = lines.poll(TIMEOUT_S, TimeUnit.SECONDS);
        answer != null;
        answer = lines.poll(TIMEOUT_S, TimeUnit.SECONDS)) {
      if (answer.startsWith(DocumentsMain.RESULT + " ")) {
        return new JsonObject(answer.substring(DocumentsMain.RESULT.length() + 1));
      }
      others.append(answer).append(" | ");
      if (answer.startsWith("the child JVM ")) {
        break;
      }
    }
    throw new IOException("the child said no result for " + line + ": " + others);
  }

  @Override
  public void close() {
    child.close();
  }
}
