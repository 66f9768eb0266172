package dev.weir.state.je;

import static org.assertj.core.api.Assertions.assertThat;

import com.sleepycat.je.Environment;
import com.sleepycat.je.Transaction;
import dev.weir.state.DocumentFormat;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.State;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeTableTest {
  private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

  /** Of an entry: key, head, key of the document, record of two bytes. */
  private static final long ENTRY_BYTES = 16 + 12 + KEY.length + 17 + 2;

  @TempDir Path directory;
  private Environment environment;
  private ChangeTable table;

  @BeforeEach
  void start() {
    environment =
        new Environment(directory.toFile(), JeSettings.environment(1 << 20, 1 << 20, 1 << 20));
    open(Long.MAX_VALUE, 0);
  }

  private void open(long limitBytes, long start) {
    table =
        new ChangeTable(
            environment.openDatabase(null, "changes", JeSettings.documents()), limitBytes, start);
  }

  private void reopen(long limitBytes, long start) {
    table.close();
    open(limitBytes, start);
  }

  @AfterEach
  void stop() {
    table.close();
    environment.close();
  }

  private static LoggedChange change(long position, long version) {
    byte[] content = "{}".getBytes(StandardCharsets.UTF_8);
    State state = new State(version, 0, content, DocumentFormat.JSON);
    return LoggedChange.decided(KEY, State.ABSENT, state, 0).at(position);
  }

  private void append(boolean commits, long... positions) {
    Transaction transaction = environment.beginTransaction(null, null);
    ChangeTable.Extent extent =
        table.append(
            transaction,
            LongStream.of(positions).mapToObj(position -> change(position, position)).toList());
    if (commits) {
      transaction.commit();
      table.committed(extent);
    } else {
      transaction.abort();
    }
  }

  private List<Long> positions(long after) {
    List<Long> found = new ArrayList<>();
    table.scan(after, Long.MAX_VALUE, change -> found.add(change.position()));
    return found;
  }

  @Test
  void changesAreFoundByTheirPositions() {
    append(true, 1, 2, 5);
    append(true, 6);
    assertThat(positions(0)).containsExactly(1L, 2L, 5L, 6L);
    assertThat(positions(2)).containsExactly(5L, 6L);
    assertThat(table.has(5)).isTrue();
    assertThat(table.has(4)).isFalse();
    assertThat(table.has(7)).isFalse();
    assertThat(table.floor()).isZero();
    List<Long> some = new ArrayList<>();
    table.scan(0, 5, change -> some.add(change.position()) && some.size() < 2);
    assertThat(some).containsExactly(1L, 2L);
    reopen(Long.MAX_VALUE, 77);
    assertThat(table.lastAtStart()).isEqualTo(6);
    assertThat(table.floor()).isZero();
  }

  @Test
  void anEmptyLogBeginsWhereItIsTold() {
    reopen(Long.MAX_VALUE, 77);
    assertThat(table.lastAtStart()).isEqualTo(77);
    assertThat(table.floor()).isEqualTo(77);
    append(true, 78);
    reopen(Long.MAX_VALUE, 77);
    assertThat(table.floor()).isEqualTo(77);
  }

  @Test
  void theOldestGoWhenTheLogIsOverItsLimitAndTheLastNever() {
    reopen(3 * ENTRY_BYTES, 0);
    append(true, 1, 2);
    append(true, 3);
    assertThat(positions(0)).containsExactly(1L, 2L, 3L);
    append(true, 4, 5);
    assertThat(positions(0)).containsExactly(3L, 4L, 5L);
    assertThat(table.floor()).isEqualTo(2);
    reopen(1, 0);
    append(true, 6);
    assertThat(positions(0)).containsExactly(6L);
    assertThat(table.floor()).isEqualTo(5);
  }

  @Test
  void aCommitThatFailsLeavesTheLogAsItWas() {
    reopen(3 * ENTRY_BYTES, 0);
    append(true, 1, 2);
    append(false, 3, 4);
    assertThat(positions(0)).containsExactly(1L, 2L);
    append(true, 3);
    assertThat(positions(0)).containsExactly(1L, 2L, 3L);
    append(true, 4);
    assertThat(positions(0)).containsExactly(2L, 3L, 4L);
  }

  @Test
  void aCommitThatIsTriedAgainAfterItSucceededIsThereOnce() {
    append(true, 1, 2, 3);
    reopen(Long.MAX_VALUE, 0);
    append(true, 2, 3, 4);
    assertThat(positions(0)).containsExactly(1L, 2L, 3L, 4L);
  }
}
