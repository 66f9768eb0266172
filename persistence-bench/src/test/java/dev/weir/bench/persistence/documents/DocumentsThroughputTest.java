package dev.weir.bench.persistence.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.program.SeedParameters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast documents are replaced and created in one process, with the parameters of Xenon's tests
 * as system properties. A speed never fails a test; a lost or repeated operation does.
 */
@EnabledIfSystemProperty(
    named = "weir.performance",
    matches = "true",
    disabledReason = "a measurement: -Pperformance runs it")
class DocumentsThroughputTest {
  private static final long OPERATIONS = 1_000_000;
  private static final double BYTES_PER_MIB = 1 << 20;

  @TempDir private Path directory;

  @Test
  void throughputInMemoryServicePut() throws Exception {
    measure(DocumentWork.PUT_MEMORY);
  }

  @Test
  void throughputPersistedServicePut() throws Exception {
    measure(DocumentWork.PUT_PERSISTED);
  }

  @Test
  void throughputIntervalServicePut() throws Exception {
    measure(DocumentWork.PUT_INTERVAL);
  }

  @Test
  void throughputPersistedServicePost() throws Exception {
    measure(DocumentWork.POST_PERSISTED);
  }

  @Test
  void throughputImmutableServicePost() throws Exception {
    measure(DocumentWork.POST_IMMUTABLE);
  }

  private void measure(DocumentWork work) throws Exception {
    SeedParameters parameters = SeedParameters.ofSystem();
    long operations = parameters.operations(OPERATIONS);
    long leastNs = parameters.duration(Duration.ZERO).toNanos();
    try (LocalDocuments documents = new LocalDocuments(directory.resolve("data"), parameters)) {
      documents.round(work, operations);
      RoundResult result = documents.round(work, operations);
      while (result.elapsedNs() < leastNs) {
        result = result.then(documents.round(work, operations));
      }
      System.out.println(
          String.format(
              Locale.ROOT,
              "%s: %,.0f operations/s, %,d operations, %,d documents, heap %.0f MiB, %s",
              work,
              result.opsPerSec(),
              result.tally().good(),
              parameters.documents(),
              Runtime.getRuntime().maxMemory() / BYTES_PER_MIB,
              work.durability()));
      assertThat(result.verdict().reasons()).isEmpty();
      assertThat(documents.verdict(work).reasons()).isEmpty();
    }
  }
}
