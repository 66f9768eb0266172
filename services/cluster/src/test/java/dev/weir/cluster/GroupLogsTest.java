package dev.weir.cluster;

import static dev.weir.cluster.log.TestBatches.append;
import static dev.weir.cluster.log.TestBatches.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.cluster.log.GroupLogReader;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupLogsTest {
  @TempDir Path one;
  @TempDir Path two;
  private TransactionLog first;
  private TransactionLog second;

  @BeforeEach
  void open() {
    first = JeTransactionLog.open(one);
    second = JeTransactionLog.open(two);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private GroupLogs.Comparison compare() {
    first.close();
    second.close();
    return GroupLogs.compare(one, two);
  }

  @Test
  void equalHistoriesAreTheSame() {
    append(first, 1, 10);
    append(first, 3, 20);
    append(second, 1, 10);
    append(second, 3, 20);

    GroupLogs.Comparison comparison = compare();

    assertThat(comparison.isSame()).isTrue();
    assertThat(comparison.from()).isZero();
    assertThat(comparison.to()).isEqualTo(20);
    assertThat(comparison.bytes()).isEqualTo(10L * batch(1, 0, 2, 100).remaining());
  }

  @Test
  void twoEmptyLogsAreTheSame() {
    assertThat(compare().isSame()).isTrue();
  }

  @Test
  void oneThatHasMoreAgreesButIsNotTheSame() {
    append(first, 1, 20);
    append(second, 1, 30);

    GroupLogs.Comparison comparison = compare();

    assertThat(comparison.agrees()).isTrue();
    assertThat(comparison.isSame()).isFalse();
    assertThat(comparison.to()).isEqualTo(20);
    assertThat(comparison.secondEnd()).isEqualTo(30);
  }

  @Test
  void onlyWhatBothStillHaveIsCompared() throws Exception {
    append(first, 1, 100);
    append(second, 1, 60);
    second.saveSnapshot(second.end(), out -> out.writeLong(1));
    append(second, 1, 100);
    second.trim(60);

    GroupLogs.Comparison comparison = compare();

    assertThat(comparison.isSame()).isTrue();
    assertThat(comparison.from()).isEqualTo(60);
  }

  @Test
  void aHistoryThatWasReplacedIsNotCompared() throws Exception {
    append(first, 1, 100);
    append(second, 5, 40);
    second.reset(new LogEnd(1, 50));
    second.saveSnapshot(second.end(), out -> out.writeLong(1));
    append(second, 1, 100);

    GroupLogs.Comparison comparison = compare();

    assertThat(comparison.isSame()).isTrue();
    assertThat(comparison.from()).isEqualTo(50);
  }

  @Test
  void theFirstDifferenceIsTold() {
    append(first, 1, 10);
    append(second, 1, 10);
    ByteBuffer other = batch(2, 10, 2, 100);
    first.append(batch(1, 10, 2, 100));
    second.append(other);
    append(first, 2, 20);
    append(second, 2, 20);

    GroupLogs.Comparison comparison = compare();

    assertThat(comparison.agrees()).isFalse();
    assertThat(comparison.to()).isEqualTo(10);
    assertThat(comparison.difference()).contains("batch at 10", "epochs 1 and 2");
  }

  @Test
  void batchesThatAreCutOtherwiseAreADifference() {
    append(first, 1, 20);
    second.append(batch(1, 0, 4, 100));
    append(second, 1, 20);

    assertThat(compare().difference()).contains("batch at 0");
  }

  @Test
  void logsWithNothingInCommonDoNotAgree() throws Exception {
    append(first, 1, 10);
    second.reset(new LogEnd(1, 50));
    second.saveSnapshot(second.end(), out -> out.writeLong(1));
    append(second, 1, 60);

    assertThat(compare().difference()).contains("nothing is in both");
  }

  @Test
  void aDirectoryWithoutALogIsRefused() {
    assertThatThrownBy(() -> GroupLogReader.open(one.resolve("none")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("there is no log in");
  }

  @Test
  void nothingIsChangedByReading() {
    append(first, 1, 10);
    append(second, 1, 10);
    compare();
    first = JeTransactionLog.open(one);
    append(first, 2, 12);

    assertThat(first.end()).isEqualTo(new LogEnd(2, 12));
  }

  /** What JE recovers here it has never logged, and could not bring back if it left the cache. */
  @Tag("slow")
  @Test
  void theLogOfAProcessThatWasKilledIsReadToItsEnd(@TempDir Path copies) throws Exception {
    append(first, 1, 300_000);
    first.force(AckLevel.PERSISTED);
    Path copy = Files.createDirectory(copies.resolve("copy"));
    try (Stream<Path> files = Files.list(one)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jdb")).toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }

    GroupLogs.Comparison comparison = GroupLogs.compare(copy, copy);

    assertThat(comparison.isSame()).as(comparison.toString()).isTrue();
    assertThat(comparison.to()).isEqualTo(300_000);
  }
}
